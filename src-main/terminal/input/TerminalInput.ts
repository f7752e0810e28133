import { once } from 'node:events';
import type { JoinVerdict, PasteVerdict, SubmitAsked, SubmitVerdict } from '../../contract/api.ts';
import { shownLine } from '../../pty/foreground.ts';
import type { PtyProcess } from '../../pty/PtyProcess.ts';
import { isShellForeground } from '../../pty/terminalModes.ts';
import type { ScreenHandle } from '../../screen/worker/ScreenHandle.ts';
import type { Clock } from '../../util/Clock.ts';
import { Emitter, type Event } from '../../util/Emitter.ts';
import type { BlockStore } from '../blocks/BlockStore.ts';
import type { HookLoader } from '../HookLoader.ts';
import { bracketedPasteSoon } from './bracketedPasteSoon.ts';
import { EarlyStop } from './EarlyStop.ts';
import { EnteredLines } from './EnteredLines.ts';
import { type InputTarget, pasteInto, submitTo } from './Input.ts';
import { KeystrokeBuffer } from './KeystrokeBuffer.ts';
import { PendingLine } from './PendingLine.ts';
import { TypedLine } from './TypedLine.ts';
import { UserKeystrokes } from './UserKeystrokes.ts';

/** Names a command whose text is not known. */
const A_COMMAND = 'a command';

/** Where what is typed goes. */
export interface TypedInto {
  readonly book: BlockStore;
  readonly screen: Pick<ScreenHandle, 'bracketedPaste' | 'input'>;
  readonly clock: Clock;
  readonly hookLoader: HookLoader;
  /** Null when nothing runs any more. */
  process(): PtyProcess | null;
  nonce(): string;
  isAtPrompt(): boolean;
  /** Bytes have come and are on their way to the screen. */
  readonly onFed: Event<void>;
  /** Keys are about to go to the program. */
  beforeKeys(): void;
}

/** What is typed into one terminal: keys, pastes and commands of the person, and what outside clients write. */
export class TerminalInput {
  readonly #into: TypedInto;
  readonly #personTyped = new Emitter<void>();
  readonly #released = new Emitter<void>();
  readonly #hold = new KeystrokeBuffer<string | Uint8Array>();
  readonly #early: EarlyStop;
  readonly line = new TypedLine();
  readonly entered = new EnteredLines();
  readonly #pending: PendingLine;
  readonly keys: UserKeystrokes;
  /** A key of the person has come, held or not. */
  readonly onPersonTyped = this.#personTyped.on;

  constructor(into: TypedInto) {
    this.#into = into;
    this.keys = new UserKeystrokes(into.clock);
    this.#pending = new PendingLine(into.clock);
    const isEarly = () =>
      into.book.runningId !== null && this.shellPid !== null && isShellForeground(this.shellPid) === true;
    this.#early = new EarlyStop(into.clock, isEarly, (data) => this.#send(data));
  }

  /** Bytes have come and are on their way to the screen. */
  get onFed(): Event<void> {
    return this.#into.onFed;
  }

  /** The shell's process, null when it has ended. */
  get shellPid(): number | null {
    return this.#into.process()?.pid ?? null;
  }

  /** A shell or remote that reads what is typed while a command of ours runs; null when none does. */
  get nested(): string | null {
    const { hookLoader, process } = this.#into;
    return hookLoader.nested(process()?.foregroundArgv() ?? [])?.program ?? null;
  }

  /**
   * Command lines (cut) of what reads these keys or runs beside it, without the shell. A command that has no process (yet), or where no
   * system call says what runs, is named by its own text, from the moment in which its line was handed to the shell. What a prompt starts
   * (fish asks git) may still run then, and is not what the person sent.
   */
  runningPrograms(): string[] {
    const { book, process } = this.#into;
    const pty = process();
    if (!pty) return [];
    const pending = book.running ? null : this.#pending.text;
    if (pending !== null) return [shownLine(pending)];
    const programs = pty.runningPrograms({ copies: false }) ?? [];
    if (programs.length > 0) return programs;
    if (book.running) return [shownLine(book.running.cmd ?? A_COMMAND)];
    return pty.runningPrograms({ copies: true }) ?? [];
  }

  /** The person's keys wait. */
  get isHeld(): boolean {
    return this.#hold.isOn;
  }

  /** Keystrokes: passed on as they are. The person's are kept while a client's command is being put into the line. */
  type(data: string | Uint8Array, actor = 'user'): void {
    if (actor === 'user' && this.keys.typed(data, this.line.isEmpty)) this.#personTyped.fire();
    if (actor !== 'user' || !this.#hold.take(data)) this.write(data);
  }

  /** Past the hold: for who holds the keys. */
  write(data: string | Uint8Array): void {
    this.#early.type(data);
  }

  #send(data: string | Uint8Array): void {
    const { book, process, beforeKeys, isAtPrompt } = this.#into;
    beforeKeys();
    this.line.typed(data);
    this.entered.typed(data);
    if (isAtPrompt() && book.runningId === null && hasReturn(data))
      this.#pending.sent(this.entered.newest === null ? A_COMMAND : (this.entered.newest ?? ''), true);
    book.typed(typeof data === 'string' ? data : Buffer.from(data).toString('utf8'), this.#now());
    process()?.write(data);
  }

  /** A Ctrl-C is among the keys that wait. */
  get isInterruptHeld(): boolean {
    return this.#hold.kept.some((piece) => (typeof piece === 'string' ? piece.includes('\x03') : piece.includes(3)));
  }

  /** From now on the person's keys wait. `onFirst`: one does. */
  hold(onFirst: () => void): void {
    this.#hold.begin(onFirst);
  }

  /** Sends what waited, in this turn. */
  release(): void {
    for (const piece of this.#hold.release()) this.write(piece);
    this.#released.fire();
  }

  /** The shell has begun a command. */
  began(): void {
    this.line.began();
    this.#pending.gone();
  }

  prompted(): void {
    this.line.prompted();
    this.#pending.prompted();
    this.keys.prompted();
  }

  paste(text: string, isConfirmed: boolean): Promise<PasteVerdict> {
    return pasteInto(this.#target, text, isConfirmed);
  }

  /** Without `asked` it is for a prompt only. */
  async submit(text: string, asked: SubmitAsked = { running: null }): Promise<SubmitVerdict> {
    const { book, isAtPrompt } = this.#into;
    this.keys.noted(); // a client that has looked at the line looks again
    this.#personTyped.fire();
    if (book.runningId === null) this.#pending.sent(text, isAtPrompt());
    const verdict = await submitTo(this.#target, { text, asked }, (cmd) => book.submitted(cmd, this.#now()));
    if (!verdict.ok) this.#pending.gone();
    return verdict;
  }

  /** The person writes in a composer: no client begins anything until it is aborted. */
  async *drafting(signal: AbortSignal | undefined): AsyncGenerator<void> {
    const draft = this.keys.draft();
    this.#personTyped.fire();
    try {
      yield;
      if (signal && !signal.aborted) await once(signal, 'abort');
    } finally {
      draft.dispose();
    }
  }

  /** Loads the hook into the shell that has taken over the terminal, so that its commands get cards of their own. */
  joinNested(): JoinVerdict {
    const { book, hookLoader, process, nonce } = this.#into;
    const argv = process()?.foregroundArgv() ?? [];
    if (book.runningId === null || !hookLoader.nested(argv)) return { ok: false, reason: 'not-nested' };
    const line = hookLoader.line(argv, nonce());
    if (line === null) return { ok: false, reason: 'no-hook' };
    this.type(`\x15${line}\r`); // what stands in the line must not be joined with it
    return { ok: true };
  }

  #untilReleased(): Promise<void> {
    if (!this.#hold.isOn) return Promise.resolve();
    return new Promise((resolve) => {
      const listening = this.#released.on(() => {
        listening.dispose();
        resolve();
      });
    });
  }

  #now(): { atMs: number; monoMs: number } {
    const { clock } = this.#into;
    return { atMs: clock.nowMs(), monoMs: clock.monotonicMs() };
  }

  get #target(): InputTarget {
    const { book, screen, clock, process, isAtPrompt, onFed } = this.#into;
    const { line } = this;
    const hold = this.#hold;
    return {
      get hasExited() {
        return process() === null;
      },
      get runningId() {
        return book.runningId;
      },
      get isClientStarting() {
        return hold.isOn || book.isClientStarting;
      },
      get isLineEmpty() {
        return line.isEmpty;
      },
      get isUntouched() {
        return line.isUntouched;
      },
      lineFree: () => this.#untilReleased(),
      bracketedPaste: () => screen.bracketedPaste(),
      bracketedPasteSoon: () =>
        bracketedPasteSoon({ clock, isBracketed: () => screen.bracketedPaste(), isAtPrompt, onFed }),
      send: (data) => this.type(data),
    };
  }
}

function hasReturn(data: string | Uint8Array): boolean {
  return typeof data === 'string' ? /[\r\n]/.test(data) : data.includes(0x0d) || data.includes(0x0a);
}
