import type { JoinVerdict, PasteVerdict, SubmitVerdict } from '../contract/api.ts';
import type { PtyProcess } from '../pty/PtyProcess.ts';
import type { ScreenHandle } from '../screen/ScreenHandle.ts';
import type { Clock } from '../util/Clock.ts';
import type { Event } from '../util/Emitter.ts';
import type { BlockBook } from './BlockBook.ts';
import { bracketedPasteSoon } from './bracketedPasteSoon.ts';
import type { HookLoader } from './HookLoader.ts';
import { type InputTarget, pasteInto, submitTo } from './Input.ts';
import { TypedLine } from './TypedLine.ts';

/** Where what is typed goes. */
export interface TypedInto {
  readonly book: BlockBook;
  readonly screen: Pick<ScreenHandle, 'bracketedPaste'>;
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

/** What a person does to one terminal: keys, pastes, commands. */
export class TerminalInput {
  readonly #into: TypedInto;
  readonly line = new TypedLine();

  constructor(into: TypedInto) {
    this.#into = into;
  }

  /** Keystrokes: passed on as they are. */
  type(data: string | Uint8Array): void {
    const { book, process, beforeKeys } = this.#into;
    beforeKeys();
    this.line.typed(data);
    book.typed(this.#now());
    process()?.write(data);
  }

  paste(text: string, isConfirmed: boolean): Promise<PasteVerdict> {
    return pasteInto(this.#target, text, isConfirmed);
  }

  submit(text: string): Promise<SubmitVerdict> {
    return submitTo(this.#target, text, (cmd) => this.#into.book.submitted(cmd, this.#now()));
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

  #now(): { atMs: number; monoMs: number } {
    const { clock } = this.#into;
    return { atMs: clock.nowMs(), monoMs: clock.monotonicMs() };
  }

  get #target(): InputTarget {
    const { book, screen, clock, process, isAtPrompt, onFed } = this.#into;
    return {
      hasExited: process() === null,
      isRunning: book.runningId !== null,
      isLineEmpty: this.line.isEmpty,
      isUntouched: this.line.isUntouched,
      bracketedPaste: () => screen.bracketedPaste(),
      bracketedPasteSoon: () =>
        bracketedPasteSoon({ clock, isBracketed: () => screen.bracketedPaste(), isAtPrompt, onFed }),
      send: (data) => this.type(data),
    };
  }
}
