import type { KeyTaker } from '../pty/keyTaker.ts';
import type { PtyProcess } from '../pty/PtyProcess.ts';
import { readTerminalModes } from '../pty/terminalModes.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { detach } from '../util/strayErrors.ts';
import type { BlockBook } from './BlockBook.ts';

const LOOK_EVERY_MS = 400;

export interface KeyWatched {
  process(): PtyProcess | null;
  tell(taker: KeyTaker | null): void;
}

/**
 * Which program takes the keys of one terminal, as far as the command line does not say it: `cd "$(fzf)"` is no `cd`. Only a program that has
 * taken the terminal out of line mode is told: of what a build starts every second nothing waits for a key.
 */
export class KeyWatch implements IDisposable {
  readonly #clock: Clock;
  readonly #book: Pick<BlockBook, 'runningId'>;
  readonly #of: KeyWatched;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #next: IDisposable | null = null;
  #told: number | null = null;

  constructor(clock: Clock, book: Pick<BlockBook, 'runningId'>, of: KeyWatched) {
    this.#clock = clock;
    this.#book = book;
    this.#of = of;
  }

  /** Output has come. */
  look(): void {
    if (this.#book.runningId === null) return this.#tell(null);
    const waitMs = this.#lookedMs + LOOK_EVERY_MS - this.#clock.monotonicMs();
    if (waitMs > 0) {
      this.#next ??= this.#clock.after(waitMs, () => {
        this.#next = null;
        this.look();
      });
      return;
    }
    this.#lookedMs = this.#clock.monotonicMs();
    detach('KeyWatch', this.#judge());
  }

  dispose(): void {
    this.#next?.dispose();
  }

  async #judge(): Promise<void> {
    const process = this.#of.process();
    const taker = process?.keyTaker() ?? null;
    if (!process || !taker) return this.#tell(null);
    if (taker.pid === this.#told) return;
    const modes = await readTerminalModes(process.pid);
    this.#tell(modes?.isCanonical === false && this.#book.runningId !== null ? taker : null);
  }

  #tell(taker: KeyTaker | null): void {
    if ((taker?.pid ?? null) === this.#told) return;
    this.#told = taker?.pid ?? null;
    this.#of.tell(taker);
  }
}
