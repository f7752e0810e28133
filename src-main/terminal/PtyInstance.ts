import type { PasteVerdict, SubmitAsked, SubmitVerdict } from '../contract/api.ts';
import type { TerminalEvent } from '../contract/event.ts';
import type { StreamItem, TerminalView, TerminalWords } from '../contract/terminal.ts';
import { ConversationRecorder } from '../conversations/record/ConversationRecorder.ts';
import type { MaskedChunk } from '../events/masks/NonceMask.ts';
import type { PtyExit } from '../pty/PtyProcess.ts';
import type { ScreenHandle } from '../screen/worker/ScreenFeed.ts';
import { Disposables, type IDisposable } from '../util/Disposables.ts';
import { Emitter, type Event } from '../util/Emitter.ts';
import { detach } from '../util/strayErrors.ts';
import type { AdoptedShell, ScreenStart } from './AdoptedShell.ts';
import type { BlockStore } from './blocks/BlockStore.ts';
import { ScreenRecord } from './screen/ScreenRecord.ts';
import { screenMark, TextOwner } from './screen/screenMark.ts';
import type { TerminalDeps } from './TerminalDeps.ts';
import type { TerminalRecord } from './TerminalRecord.ts';
import { TerminalShell } from './TerminalShell.ts';
import { TerminalStatus } from './TerminalStatus.ts';
import { type TerminalParts, terminalParts } from './terminalParts.ts';
import { LiveStream } from './viewers/LiveStream.ts';

/** Longer than the interval between titles (ten a second). */
const SETTLE_MS = 200;

/** One terminal: a shell in a PTY, its record, its screen, its viewers. `#take` shows how the data flows. */
export class PtyInstance implements IDisposable {
  readonly id: string;
  readonly book: BlockStore;
  readonly screen: ScreenHandle;
  readonly viewers: TerminalParts['viewers'];
  /** Conversations of its agents. */
  readonly chat: ConversationRecorder;
  readonly agents: TerminalParts['agents'];
  readonly #deps: TerminalDeps;
  readonly #record: TerminalRecord;
  readonly #screenRecord: ScreenRecord;
  readonly #live: LiveStream;
  readonly #sweep: TerminalParts['sweep'];
  readonly input: TerminalParts['input'];
  readonly #pressure: TerminalParts['pressure'];
  readonly #status: TerminalStatus;
  readonly #owned = new Disposables();
  /** Fires when new bytes are on their way to the screen. */
  readonly #fed = new Emitter<void>();
  readonly onChanged: Event<TerminalView>;
  readonly #closed = new AbortController();
  readonly closed = this.#closed.signal;
  readonly #owner = new TextOwner();
  readonly #commandTexts: TerminalParts['commandTexts'];
  #settling: IDisposable | null = null;
  readonly #branch: TerminalParts['branch'];
  readonly #foreground: TerminalParts['foreground'];
  readonly #shell: TerminalShell;

  /** `shown`: where the screen begins, if that is not where the record continues. */
  constructor(deps: TerminalDeps, record: TerminalRecord, book: BlockStore, shown?: ScreenStart) {
    this.#deps = deps;
    this.#record = record;
    this.book = book;
    this.id = record.meta.id;
    this.#status = new TerminalStatus(record.meta, (json) => record.keepReports(json));
    this.onChanged = this.#status.onChange;
    const size = { cols: record.meta.cols, rows: record.meta.rows };
    this.screen = this.#owned.add(
      deps.screens.open(this.id, {
        ...(shown?.size ?? size),
        scrollbackLines: deps.scrollbackLines,
        startOffset: shown?.offset ?? record.size,
        answersFrom: shown?.answersFrom ?? 0,
        replayFrom: (offset) => this.#live.from(offset),
      }),
    );
    book.texts.beginRowOf = async (rawStart) =>
      (await this.screen.beginRows()).findLast(({ offset }) => offset <= rawStart)?.row ?? 0;
    this.#live = new LiveStream(record.size, size, () => this.#readState());
    this.chat = new ConversationRecorder(record, deps);
    this.#shell = new TerminalShell(deps, record, {
      screen: this.screen,
      status: this.#status,
      take: (chunk) => this.#take(chunk),
      event: (event) => this.#handleEvent(event),
      noMarks: () => {
        book.noMarks(this.#shell.now());
        this.#status.noMarks();
      },
      caughtUp: () => {
        book.caughtUp(this.#shell.now());
        this.input.caughtUp();
        if (book.runningId === null) detach('PtyInstance', this.chat.endUnseen());
      },
      shown: () => this.#settle(),
      exited: (exit) => this.#exited(exit),
    });
    const parts = terminalParts({
      ...{ deps, record, book, live: this.#live, chat: this.chat, screen: this.screen, onFed: this.#fed.on },
      ...{ shell: this.#shell, status: this.#status },
      resize: (size) => this.resize(size),
      resizeUnseen: (size) => this.#shell.resize(size, true),
    });
    this.viewers = this.#owned.add(parts.viewers);
    this.#sweep = this.#owned.add(parts.sweep);
    this.agents = parts.agents;
    this.input = parts.input;
    this.#commandTexts = parts.commandTexts;
    this.#branch = parts.branch;
    this.#foreground = this.#owned.add(parts.foreground);
    if (deps.colors) this.screen.setColors(deps.colors());
    this.#screenRecord = new ScreenRecord(this.screen, record, deps);
    if (deps.answersQueries !== false) this.#owned.add(this.screen.onReply((reply) => this.#shell.answer(reply)));
    this.#pressure = this.#owned.add(parts.pressure);
    this.#owned.add(record.onFault((fault) => this.#tellFault(fault)));
    if (record.fault !== null) this.#tellFault(record.fault);
    this.#owned.add(this.onChanged(({ agent }) => this.screen.agent(agent?.state ?? null)));
    this.#owned.add(book.onChange((change) => this.#status.changed(change, book.runningId)));
  }

  get view(): TerminalView {
    return this.#status.view;
  }

  /** What the shell reported about itself. */
  get reports(): TerminalStatus['reports'] {
    return this.#status.reports;
  }

  /** Bytes of output so far: the offset of the next one in output.raw. */
  get rawSize(): number {
    return this.#record.size;
  }

  /** Starts the shell, or another one after the first has exited. Throws the system's error if it cannot start. */
  start(isRestored = false): void {
    this.#shell.start((argv) => {
      this.#live.exited(null);
      this.screen.exited(null);
      this.#record.started(argv, isRestored);
      this.book.started(this.#record.size, isRestored, this.#deps.clock.nowMs());
    });
  }

  /** Takes over a shell that an earlier core left running, and catches up with its output. */
  adopt(shell: AdoptedShell): void {
    this.input.catchUp();
    this.#shell.adopt(shell);
  }

  async restart(): Promise<void> {
    if (this.#record.meta.origin !== undefined) throw new Error('nothing runs in a recording: open a new tab');
    if (!this.#shell.process) this.start();
  }

  /** Passes keystrokes on unchanged. `actor`: `user`, or `agent:` and the client that types. */
  type(data: string | Uint8Array, actor = 'user'): void {
    this.agents.typed(data, actor);
    this.input.type(data, actor);
  }

  paste(text: string, isConfirmed: boolean): Promise<PasteVerdict> {
    return this.input.paste(text, isConfirmed);
  }

  async submit(text: string, asked?: SubmitAsked): Promise<SubmitVerdict> {
    const verdict = await this.input.submit(text, asked);
    if (verdict.ok && asked?.running) this.agents.typed('\r', 'user');
    return verdict;
  }

  resize({ cols, rows }: { cols: number; rows: number }): void {
    const { view } = this.#status;
    if (view.cols === cols && view.rows === rows) return;
    if (this.#record.meta.origin !== undefined && !this.#shell.process) return; // a recording keeps its size for all viewers
    this.#sweep.cut();
    this.#status.resized(cols, rows);
    this.#shell.fit();
    if (!this.#shell.isCatchingUp) this.#live.resized({ cols, rows });
    this.agents.resized();
  }

  describe(words: TerminalWords): void {
    this.#record.described(words);
    this.#status.described(words);
  }

  get dismissedChat(): string | null {
    return this.#record.meta.dismissedChat ?? null;
  }

  dismissChat(conversationId: string | null): void {
    this.#record.dismissedChat(conversationId);
  }

  seen(): void {
    this.#status.seen();
  }

  get pid(): number | null {
    return this.#shell.process?.pid ?? null;
  }

  /** Notes that `writer` has typed all of its keys below `next`. */
  noteTyped(writer: string, next: number): void {
    this.#shell.process?.recorded?.typed(writer, next);
  }

  /** Hangs up on the shell, or leaves it to the next core, and resolves when everything is on disk. */
  async close({ isLeft = false }: { isLeft?: boolean } = {}): Promise<void> {
    const hasNext = isLeft && this.#shell.leave();
    this.book.dividers.close();
    if (this.#shell.process && !hasNext) await this.#shell.hangUp();
    await this.#screenRecord.close(); // reads the screen once more
    await this.agents.close(hasNext); // reads the screen too
    this.#live.close();
    this.#settling?.dispose();
    this.#shell.dispose();
    this.#owned.dispose();
    await Promise.all([this.book.close(), this.chat.close()]);
    await this.#record.close();
    this.#deps.notices.recording.report(this.id, null, this.#deps.clock.nowMs());
    this.#status.dispose();
    this.#closed.abort();
  }

  dispose(): void {
    detach('PtyInstance', this.close());
  }

  /** The data's path: mask → record → viewers' ring → events → blocks, screen, status. */
  #take(chunk: MaskedChunk): void {
    const { bytes, nonceAt } = chunk;
    if (bytes.length === 0 && nonceAt.length === 0) return;
    const offset = this.#record.append(bytes); // first: even if a later stage fails, the bytes are kept
    this.#live.append(bytes);
    for (const event of this.#shell.read(chunk))
      this.#handleEvent(event.type === 'begin' ? this.input.entered.named(event) : event);
    this.screen.write(bytes, offset);
    this.#commandTexts.look();
    this.#live.poke();
    this.#fed.fire();
    this.#pressure.fed(bytes.length);
    this.#settling ??= this.#deps.clock.after(SETTLE_MS, () => this.#settle());
  }

  #handleEvent(event: TerminalEvent): void {
    const mark = screenMark(event);
    for (const kind of mark?.kinds ?? []) this.screen.mark(kind, mark?.offset ?? 0);
    this.book.take(event, this.#shell.now());
    const owned = this.#owner.after(event, this.book, this.#shell.hasHook);
    if (owned) this.screen.mark(owned.kind, owned.offset);
    this.agents.handleEvent(event);
    if (event.type === 'begin' || event.type === 'end' || event.type === 'prompt')
      this.#live.mark(event.type === 'end' ? event.at : event.end, event.type, this.book.runningId);
    if (event.type === 'begin') {
      this.#commandTexts.began(event);
      this.input.began();
    }
    if (event.type === 'prompt') this.#atPrompt(event.cwd, event.at);
    if (event.type === 'altScreen') this.viewers.altScreen(event.on);
    this.#status.event(event, this.book.running?.ephemeral);
    if (event.type === 'prompt' || event.type === 'cwd') this.#branch.look(); // of the folder in the event
  }

  #atPrompt(cwd: string | null, at: number): void {
    this.input.prompted();
    if (this.book.runningId === null) this.#shell.keepFrom(at, () => this.book.texts.settled());
    this.#record.flush();
    this.#screenRecord.flush();
    if (cwd !== null) this.#record.moved(cwd);
  }

  #settle(): void {
    this.#settling = null;
    if (this.#shell.isCatchingUp) return; // the current processes do not belong to the output being caught up with
    this.#live.resized(this.view); // a size that came while catching up
    for (const event of this.#shell.settle()) this.#handleEvent(event);
    this.agents.look();
    this.#foreground.look();
  }

  async #readState(): Promise<Extract<StreamItem, { type: 'state' }>> {
    const state = await this.screen.serialize();
    return { type: 'state', ...state, runningBlockId: this.book.runningId };
  }

  #exited(exit: PtyExit): void {
    this.agents.exited();
    this.book.shellExited(exit, this.#shell.now());
    this.#record.exited(exit.exitCode, exit.signal);
    this.#live.exited({ type: 'exit', ...exit });
    this.screen.exited(exit);
    this.#screenRecord.flush();
    this.#status.exited(exit);
  }

  #tellFault(fault: string | null): void {
    this.#status.faulted(fault);
    this.#deps.notices.recording.report(this.id, fault, this.#deps.clock.nowMs());
  }
}
