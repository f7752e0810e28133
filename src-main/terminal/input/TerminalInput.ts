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
import { preparedForDiscard } from './preparedForDiscard.ts';
import { TypedLine } from './TypedLine.ts';
import { UserKeystrokes } from './UserKeystrokes.ts';

/** Label of a command whose text is unknown. */
const A_COMMAND = 'a command';

/** The target of input. */
export interface TypedInto {
  readonly book: BlockStore;
  readonly screen: Pick<ScreenHandle, 'bracketedPaste' | 'input'>;
  readonly clock: Clock;
  readonly hookLoader: HookLoader;
  /** Null after the process has exited. */
  process(): PtyProcess | null;
  nonce(): string;
  isAtPrompt(): boolean;
  /** Fires when new bytes are on their way to the screen. */
  readonly onFed: Event<void>;
  /** Called before keys go to the program. */
  beforeKeys(): void;
}

/** Input of one terminal: the person's keys, pastes and commands, and what clients write. */
export class TerminalInput {
  readonly #into: TypedInto;
  readonly #personTyped = new Emitter<void>();
  readonly #released = new Emitter<void>();
  readonly #hold = new KeystrokeBuffer<string | Uint8Array>();
  readonly #early: EarlyStop;
  readonly line: TypedLine;
  readonly entered = new EnteredLines();
  readonly #pending: PendingLine;
  #promptedMs = Number.NEGATIVE_INFINITY;
  /** Keys typed while catching up; otherwise null. */
  #late: string[] | null = null;
  readonly keys: UserKeystrokes;
  /** Fires at each key of the person, even if it is held. */
  readonly onPersonTyped = this.#personTyped.on;

  constructor(into: TypedInto) {
    this.#into = into;
    this.line = new TypedLine(into.book.keysBefore.isLineBegun);
    this.keys = new UserKeystrokes(into.clock);
    this.#pending = new PendingLine(into.clock);
    const isEarly = () =>
      into.book.runningId !== null && this.shellPid !== null && isShellForeground(this.shellPid) === true;
    this.#early = new EarlyStop(into.clock, isEarly, (data) => this.#send(data));
  }

  /** Fires when new bytes are on their way to the screen. */
  get onFed(): Event<void> {
    return this.#into.onFed;
  }

  /** Pid of the shell, null after it has exited. */
  get shellPid(): number | null {
    return this.#into.process()?.pid ?? null;
  }

  /** Name of a nested shell or remote that reads the keys while a command of ours runs; null without one. */
  get nested(): string | null {
    const { hookLoader, process } = this.#into;
    return hookLoader.nested(process()?.foregroundArgv() ?? [])?.program ?? null;
  }

  /**
   * Command lines (cut) of the programs that read these keys or run beside them, without the shell. A command without a process (so far),
   * or on a system without a call for its processes, is named by its own text, once its line was sent to the shell. A prompt's own programs
   * (fish runs git) may still run then, and are not what the person sent.
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

  /** True while the person's keys wait. */
  get isHeld(): boolean {
    return this.#hold.isOn;
  }

  /** Passes keystrokes on unchanged. Keeps the person's while a client's command is being entered into the line. */
  type(data: string | Uint8Array, actor = 'user'): void {
    if (actor === 'user' && this.keys.typed(data, this.line.isEmpty)) this.#personTyped.fire();
    if (actor !== 'user' || !this.#hold.take(data)) this.write(data);
  }

  /** Bypasses the hold: for the holder of the keys. */
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
    const keys = typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
    if (this.#late) this.#late.push(keys);
    else book.typed(keys, this.#now());
    process()?.write(data);
  }

  /** From now on output of before this core is processed. Keys that come meanwhile belong behind it: they end no job's card in it. */
  catchUp(): void {
    this.#late = [];
  }

  caughtUp(): void {
    const late = this.#late ?? [];
    this.#late = null;
    for (const keys of late) {
      this.line.typed(keys); // its prompt may have been processed since
      this.#into.book.typed(keys, this.#now());
    }
  }

  /** True if the waiting keys contain Ctrl-C. */
  get isInterruptHeld(): boolean {
    return this.#hold.kept.some((piece) => (typeof piece === 'string' ? piece.includes('\x03') : piece.includes(3)));
  }

  /** From now on the person's keys wait. Calls `onFirst` when the first one does. */
  hold(onFirst: () => void): void {
    this.#hold.begin(onFirst);
  }

  /** Sends the waiting keys, in this turn. */
  release(): void {
    for (const piece of this.#hold.release()) this.write(piece);
    this.#released.fire();
  }

  /** Call this when the shell has begun a command. */
  began(): void {
    this.line.began();
    this.#pending.gone();
  }

  prompted(): void {
    this.#promptedMs = this.#into.clock.monotonicMs();
    this.line.prompted(this.#into.book.keysBefore.isTouched);
    this.#pending.prompted();
    this.keys.prompted();
  }

  paste(text: string, isConfirmed: boolean): Promise<PasteVerdict> {
    return pasteInto(this.#target, text, isConfirmed);
  }

  /** Without `asked`, the text is only for a prompt. */
  async submit(text: string, asked: SubmitAsked = { running: null }): Promise<SubmitVerdict> {
    const { book, isAtPrompt } = this.#into;
    this.keys.noted(); // a client that has checked the line checks it again
    this.#personTyped.fire();
    if (book.runningId === null) this.#pending.sent(text, isAtPrompt());
    const verdict = await submitTo(this.#target, { text, asked }, (cmd) => book.submitted(cmd, this.#now()));
    if (!verdict.ok) this.#pending.gone();
    return verdict;
  }

  /** Marks that the person writes in a composer: clients start nothing until the signal aborts. */
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

  /** Loads the hook into the nested shell that has the terminal, so that its commands get their own cards. */
  joinNested(): JoinVerdict {
    const { book, hookLoader, process, nonce } = this.#into;
    const argv = process()?.foregroundArgv() ?? [];
    if (book.runningId === null || !hookLoader.nested(argv)) return { ok: false, reason: 'not-nested' };
    const line = hookLoader.line(argv, nonce());
    if (line === null) return { ok: false, reason: 'no-hook' };
    this.type(`\x15${line}\r`); // Ctrl-U clears the line first
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

  #preparedForDiscard(): Promise<boolean> {
    const { book, screen, clock, process, isAtPrompt, onFed } = this.#into;
    return preparedForDiscard({
      ...{ clock, onFed, line: this.line, promptedMs: this.#promptedMs },
      get isAtPrompt() {
        return process() !== null && book.runningId === null && isAtPrompt();
      },
      get hasTerminal() {
        const pid = process()?.pid;
        return pid === undefined || isShellForeground(pid) !== false;
      },
      showsText: async () => {
        const { beforeCursor, isEmpty } = await screen.input();
        return beforeCursor === null ? null : !isEmpty;
      },
      send: (data) => this.type(data),
    });
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
      get isEntered() {
        return line.isEntered;
      },
      get isUntouched() {
        return line.isUntouched;
      },
      preparedForDiscard: () => this.#preparedForDiscard(),
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
