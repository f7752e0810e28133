import type { PasteVerdict, SubmitVerdict } from '../contract/api.ts';
import type { TerminalEvent } from '../contract/event.ts';
import type { StreamItem, TerminalView } from '../contract/terminal.ts';
import { type MaskedChunk, NonceMask } from '../events/NonceMask.ts';
import { PtyDataProcessor } from '../events/PtyDataProcessor.ts';
import type { PtyExit, PtyProcess } from '../pty/PtyProcess.ts';
import type { ScreenHandle } from '../screen/ScreenFeed.ts';
import { Disposables, type IDisposable } from '../util/Disposables.ts';
import { Emitter } from '../util/Emitter.ts';
import type { BlockBook } from './BlockBook.ts';
import { FloodGather } from './FloodGather.ts';
import { hangUp } from './hangUp.ts';
import { type InputTarget, pasteInto, submitTo } from './Input.ts';
import { LiveStream } from './LiveStream.ts';
import { noticeRecordFault } from './recordFaultNotice.ts';
import { screenMark } from './screenMark.ts';
import type { TerminalDeps } from './TerminalDeps.ts';
import type { TerminalRecord } from './TerminalRecord.ts';
import { TerminalStatus } from './TerminalStatus.ts';
import { TypedLine } from './TypedLine.ts';

/** The screen worker may be this far behind before the program is made to wait; LiveStream's ring must hold more. */
const SCREEN_HIGH_WATER_BYTES = 2 * 1024 * 1024;
/** A held start of a nonce is given out when nothing has followed for this long, so that an echoed `Z` shows. */
const MASK_HOLD_MS = 5;
/** A shell that has sent no mark by then has no integration. */
const NO_MARKS_AFTER_MS = 10_000;
/** From the first bytes of a prompt to the line editor's readiness; shells that never ask for pastes cost a submit of several lines this. */
const LINE_EDITOR_MS = 250;
/** Longer than the limit of titles: ten a second. */
const SETTLE_MS = 200;

/** One terminal: a shell in a PTY, its record, its screen, its viewers. Read `#take` to see the data's way. */
export class PtyInstance implements IDisposable {
  readonly id: string;
  readonly book: BlockBook;
  readonly #deps: TerminalDeps;
  readonly #record: TerminalRecord;
  readonly #screen: ScreenHandle;
  readonly #live: LiveStream;
  readonly #status: TerminalStatus;
  readonly #changed = new Emitter<TerminalView>();
  readonly #owned = new Disposables();
  /** Bytes have come and are on their way to the screen. */
  readonly #fed = new Emitter<void>();
  readonly onChanged = this.#changed.on;
  #process: PtyProcess | null = null;
  #mask: NonceMask | null = null;
  #events: PtyDataProcessor | null = null;
  #holding: IDisposable | null = null;
  #isPaused = false;
  /** A command has begun whose exact text the hook did not know. */
  #needsCommandText = false;
  readonly #line = new TypedLine();
  #settling: IDisposable | null = null;

  constructor(deps: TerminalDeps, record: TerminalRecord, book: BlockBook) {
    this.#deps = deps;
    this.#record = record;
    this.book = book;
    this.id = record.meta.id;
    this.#status = new TerminalStatus(record.meta);
    const { cols, rows } = record.meta;
    this.#screen = this.#owned.add(
      deps.screens.open(this.id, {
        cols,
        rows,
        scrollbackLines: deps.scrollbackLines,
        startOffset: record.size,
        replayFrom: (offset) => this.#live.from(offset),
      }),
    );
    book.beginRowOf = async (rawStart) =>
      (await this.#screen.beginRows()).find(({ offset }) => offset === rawStart)?.row ?? 0;
    this.#live = new LiveStream(record.size, { cols, rows }, () => this.#readState());
    this.#owned.add(this.#screen.onReply((reply) => this.#process?.write(reply)));
    this.#owned.add(this.#screen.onDrain(() => this.#resumeReading()));
    this.#owned.add(record.onFault((fault) => this.#tellFault(fault)));
    if (record.fault !== null) this.#tellFault(record.fault);
    this.#owned.add(book.onChange(() => this.#update(() => this.#status.running(book.runningId))));
  }

  get view(): TerminalView {
    return this.#status.view;
  }

  /** Bytes of output so far: the offset of the next one in output.raw. */
  get rawSize(): number {
    return this.#record.size;
  }

  /** Starts the shell, or another one after the first has ended. Throws what the system says when it cannot. */
  start(isRestored = false): void {
    const { nonce, plan, env } = this.#deps.launch(this.#record.meta);
    const { cols, rows } = this.#status.view;
    const process = this.#deps.spawnPty({
      file: plan.file,
      argv: plan.args,
      cwd: this.#status.view.cwd,
      env,
      cols,
      rows,
    });
    this.#mask = new NonceMask(nonce, this.#record.size);
    this.#events = new PtyDataProcessor({ startOffset: this.#record.size, hostName: this.#deps.hostName });
    this.#process = process;
    this.#live.exited(null);
    this.#record.started([plan.file, ...plan.args], isRestored);
    this.book.started(this.#record.size, isRestored, this.#deps.clock.nowMs());
    const gather = this.#owned.add(new FloodGather(this.#deps.clock, (bytes) => this.#feed(bytes)));
    this.#owned.add(process.onBytes((bytes) => gather.take(bytes)));
    this.#owned.add(process.onExit(() => gather.flush()));
    this.#owned.add(process.onExit((exit) => this.#exited(exit)));
    const noMarks = this.#owned.add(this.#deps.clock.after(NO_MARKS_AFTER_MS, () => this.#noMarks(process)));
    this.#owned.add(process.onExit(() => noMarks.dispose()));
    this.#update(() => this.#status.started(plan));
  }

  async restart(): Promise<void> {
    if (!this.#process) this.start();
  }

  /** Keystrokes: passed on as they are. */
  type(data: string | Uint8Array): void {
    this.#line.typed(data);
    this.book.typed(this.#now());
    this.#process?.write(data);
  }

  paste(text: string, isConfirmed: boolean): Promise<PasteVerdict> {
    return pasteInto(this.#input, text, isConfirmed);
  }

  submit(text: string): Promise<SubmitVerdict> {
    return submitTo(this.#input, text, (cmd) => this.book.submitted(cmd, this.#now()));
  }

  resize({ cols, rows }: { cols: number; rows: number }): void {
    const { view } = this.#status;
    if (view.cols === cols && view.rows === rows) return;
    this.#flushMask();
    this.#process?.resize(cols, rows);
    this.#screen.resize({ cols, rows });
    this.#live.resized(cols, rows);
    this.#record.resized(cols, rows);
    this.#update(() => this.#status.resized(cols, rows));
  }

  rename(name: string | null): void {
    this.#record.renamed(name);
    this.#update(() => this.#status.renamed(name));
  }

  seen(): void {
    this.#update(() => this.#status.seen());
  }

  stream(viewerId: string, signal?: AbortSignal): AsyncGenerator<StreamItem> {
    return this.#live.view(viewerId, signal);
  }

  ack(viewerId: string, offset: number): void {
    this.#live.ack(viewerId, offset);
  }

  /** What would be lost if the terminal were closed now. */
  runningPrograms(): string[] {
    return this.#process?.runningPrograms() ?? [];
  }

  /** Hangs up on the shell and resolves when everything is on disk. */
  async close(): Promise<void> {
    const process = this.#process;
    if (process) await hangUp(process, this.#deps.clock);
    this.#owned.dispose();
    await this.book.close();
    await this.#record.close();
    this.#changed.dispose();
  }

  dispose(): void {
    void this.close();
  }

  /** The data's way: mask → record → viewers' ring → events → blocks, screen, status. */
  #take({ bytes, nonceAt }: MaskedChunk): void {
    if (bytes.length === 0 && nonceAt.length === 0) return;
    const offset = this.#record.append(bytes); // first: whatever breaks below, the byte is kept
    this.#live.append(bytes);
    const events = this.#events?.feed({ bytes, nonceAt }, this.#deps.clock.monotonicMs()) ?? [];
    for (const event of events) this.#hear(event);
    this.#screen.write(bytes, offset);
    if (this.#needsCommandText) void this.#readCommand();
    this.#live.poke();
    this.#fed.fire();
    this.#holdBack();
    this.#settling ??= this.#owned.add(this.#deps.clock.after(SETTLE_MS, () => this.#settle()));
  }

  #feed(chunk: Uint8Array): void {
    const mask = this.#mask;
    if (!mask) throw new Error(`bytes from a shell that was not started in terminal "${this.id}"`);
    this.#holding?.dispose();
    this.#holding = null;
    this.#take(mask.feed(chunk));
    if (mask.heldBytes > 0) this.#holding = this.#deps.clock.after(MASK_HOLD_MS, () => this.#flushMask());
  }

  #flushMask(): void {
    if (this.#mask) this.#take(this.#mask.flush());
  }

  #hear(event: TerminalEvent): void {
    const mark = screenMark(event);
    if (mark) this.#screen.mark(mark.kind, mark.offset);
    this.book.take(event, this.#now());
    if (event.type === 'begin' || event.type === 'end' || event.type === 'prompt') {
      this.#live.mark(event.type === 'end' ? event.at : event.end, event.type, this.book.runningId);
    }
    if (event.type === 'begin' && event.cmd === null) this.#needsCommandText = true;
    if (event.type === 'begin') this.#line.began();
    if (event.type === 'prompt') this.#atPrompt(event.cwd);
    this.#update(() => this.#status.event(event));
    if (event.type === 'prompt' || event.type === 'cwd') void this.#readBranch(); // of the folder that the event told
  }

  /** The hook knew no exact text: what the cells show between the prompt's end and the output is asked of the screen. */
  async #readCommand(): Promise<void> {
    this.#needsCommandText = false;
    const blockId = this.book.runningId;
    const text = await this.#screen.commandText();
    if (blockId !== null) this.book.textRead(blockId, text, this.#now());
  }

  #atPrompt(cwd: string | null): void {
    this.#line.prompted();
    this.#record.flush();
    if (cwd !== null) this.#record.moved(cwd);
  }

  /** A title that came too fast to be passed on at once, when nothing followed it. */
  #settle(): void {
    this.#settling = null;
    for (const event of this.#events?.settle(this.#deps.clock.monotonicMs()) ?? []) this.#hear(event);
  }

  async #readBranch(): Promise<void> {
    const { cwd } = this.#status.view;
    const branch = await this.#deps.readBranch(cwd);
    if (cwd !== this.#status.view.cwd) return;
    this.book.branch = branch;
    this.#update(() => this.#status.branched(branch));
  }

  async #readState(): Promise<Extract<StreamItem, { type: 'state' }>> {
    const state = await this.#screen.serialize();
    return { type: 'state', ...state, runningBlockId: this.book.runningId };
  }

  #noMarks(process: PtyProcess): void {
    if (process !== this.#process || this.#events?.hasHook) return;
    this.book.noMarks(this.#now());
    this.#update(() => this.#status.noMarks());
  }

  #exited(exit: PtyExit): void {
    this.#holding?.dispose();
    if (this.#mask) this.#take(this.#mask.end());
    for (const event of this.#events?.end() ?? []) this.#hear(event);
    this.#process = null;
    this.book.shellExited(exit, this.#now());
    this.#record.exited(exit.exitCode, exit.signal);
    this.#live.exited({ type: 'exit', ...exit });
    this.#update(() => this.#status.exited(exit));
  }

  /** A program that prints faster than the screen can follow is made to wait, as by any terminal. */
  #holdBack(): void {
    if (this.#isPaused || this.#screen.backlogBytes < SCREEN_HIGH_WATER_BYTES) return;
    this.#isPaused = true;
    this.#process?.pause();
  }

  #resumeReading(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#process?.resume();
  }

  #now(): { atMs: number; monoMs: number } {
    return { atMs: this.#deps.clock.nowMs(), monoMs: this.#deps.clock.monotonicMs() };
  }

  get #input(): InputTarget {
    return {
      hasExited: this.#process === null,
      isRunning: this.book.runningId !== null,
      isLineEmpty: this.#line.isEmpty,
      isUntouched: this.#line.isUntouched,
      bracketedPaste: () => this.#screen.bracketedPaste(),
      bracketedPasteSoon: () => this.#bracketedPasteSoon(),
      send: (data) => this.type(data),
    };
  }

  async #bracketedPasteSoon(): Promise<boolean> {
    const deadlineMs = this.#deps.clock.monotonicMs() + LINE_EDITOR_MS;
    for (;;) {
      const isBracketed = await this.#screen.bracketedPaste();
      const leftMs = deadlineMs - this.#deps.clock.monotonicMs();
      if (isBracketed || leftMs <= 0 || !this.#status.view.atPrompt) return isBracketed;
      await this.#nextBytes(leftMs);
    }
  }

  /** Resolves when the shell has printed something, or after `withinMs`. */
  #nextBytes(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = (): void => {
        timer.dispose();
        listening.dispose();
        resolve();
      };
      const timer = this.#deps.clock.after(withinMs, stop);
      const listening = this.#fed.on(stop);
    });
  }

  #tellFault(fault: string | null): void {
    this.#update(() => this.#status.faulted(fault));
    noticeRecordFault(this.#deps.notices, { terminalId: this.id, fault, atMs: this.#deps.clock.nowMs() });
  }

  #update(change: () => void): void {
    const before = this.#status.view;
    change();
    if (this.#status.view !== before) this.#changed.fire(this.#status.view);
  }
}
