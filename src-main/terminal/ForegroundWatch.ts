import type { IDisposable } from '../util/Disposables.ts';
import type { BlockStore } from './blocks/BlockStore.ts';
import { KeyWatch } from './KeyWatch.ts';
import type { TerminalDeps } from './TerminalDeps.ts';
import type { TerminalShell } from './TerminalShell.ts';
import type { TerminalStatus } from './TerminalStatus.ts';

/** The terminal whose programs are watched. */
export interface ForegroundOf {
  readonly deps: Pick<TerminalDeps, 'clock' | 'hookLoader'>;
  readonly book: BlockStore;
  readonly shell: TerminalShell;
  readonly status: TerminalStatus;
}

/** Finds which program has the terminal during a command: a shell that the command started, or the reader of the keys. */
export class ForegroundWatch implements IDisposable {
  readonly #of: ForegroundOf;
  readonly #keys: KeyWatch;

  constructor(of: ForegroundOf) {
    this.#of = of;
    this.#keys = new KeyWatch(of.deps.clock, of.book, {
      process: () => of.shell.process,
      tell: (taker) => of.status.keysTaken(taker),
    });
  }

  /** Call this after output. */
  look(): void {
    this.#lookForNested();
    this.#keys.look();
  }

  dispose(): void {
    this.#keys.dispose();
  }

  /** A prompt during a command comes from a shell started there; the kernel knows which one has the terminal. */
  #lookForNested(): void {
    const { deps, book, shell, status } = this.#of;
    if (book.runningId === null || status.view.altScreen) return;
    const nested = deps.hookLoader.nested(shell.process?.foregroundArgv() ?? []);
    if (nested) book.nested(nested.program, shell.now());
  }
}
