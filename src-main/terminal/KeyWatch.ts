import type { KeyTaker } from '../pty/keyTaker.ts';
import type { PtyProcess } from '../pty/PtyProcess.ts';
import { readTerminalModes } from '../pty/terminalModes.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { detach } from '../util/strayErrors.ts';
import type { BlockStore } from './blocks/BlockStore.ts';

/** A program that waits for a key prints nothing, so the processes are examined once output has paused for this long, … */
const QUIET_MS = 150;
/** … or this often while a program draws without a pause. A build that floods the terminal must not pay for each line. */
const BUSY_MS = 2_000;
/** A command is examined at most this often: each time, all processes are listed and stty(1) starts, and a person may be typing to the command. */
const AGAIN_MS = 1_000;

export interface KeyWatched {
  process(): PtyProcess | null;
  tell(taker: KeyTaker | null): void;
}

/**
 * Finds the program that reads a terminal's keys if the command line does not name it: in `cd "$(fzf)"` it is `fzf`. Reports
 * only programs that have left line mode, because processes that a build starts do not wait for keys.
 */
export class KeyWatch implements IDisposable {
  readonly #clock: Clock;
  readonly #book: Pick<BlockStore, 'runningId'>;
  readonly #of: KeyWatched;
  #next: IDisposable | null = null;
  /** Start of the output since the last look, and time of the latest output. */
  #sinceMs = 0;
  #outputMs = 0;
  #told: number | null = null;
  #judged: { blockId: string | null; ms: number } | null = null;

  constructor(clock: Clock, book: Pick<BlockStore, 'runningId'>, of: KeyWatched) {
    this.#clock = clock;
    this.#book = book;
    this.#of = of;
  }

  /** Call this after output. */
  look(): void {
    if (this.#book.runningId === null) return this.#tell(null);
    this.#outputMs = this.#clock.monotonicMs();
    if (this.#next) return;
    this.#sinceMs = this.#outputMs;
    this.#wait(QUIET_MS);
  }

  dispose(): void {
    this.#next?.dispose();
  }

  #wait(ms: number): void {
    this.#next = this.#clock.after(ms, () => {
      const nowMs = this.#clock.monotonicMs();
      const pausedMs = nowMs - this.#outputMs;
      if (pausedMs < QUIET_MS && nowMs - this.#sinceMs < BUSY_MS) return this.#wait(QUIET_MS - pausedMs);
      const blockId = this.#book.runningId;
      const againMs = this.#judged?.blockId === blockId ? this.#judged.ms + AGAIN_MS : nowMs;
      if (nowMs < againMs) return this.#wait(againMs - nowMs);
      this.#judged = { blockId, ms: nowMs };
      this.#next = null;
      detach('KeyWatch', this.#judge());
    });
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
