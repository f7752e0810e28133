import type { Clock } from '../../util/Clock.ts';

/** Ctrl+Z as a terminal sends it. */
const STOP = '\x1a';
const LOOK_EVERY_MS = 20;
/** Time in which a program gets the terminal after the shell starts it, even on a busy machine. */
const LONGEST_MS = 1_000;

/**
 * Ctrl+Z stops the program that has the terminal. Between the shell's mark of a command's begin and the program's start, the shell
 * still has the terminal and ignores the key. So the key and later ones wait for the program.
 */
export class EarlyStop {
  readonly #clock: Clock;
  readonly #isEarly: () => boolean;
  readonly #write: (data: string | Uint8Array) => void;
  #kept: (string | Uint8Array)[] = [];

  /** `isEarly`: a command runs, but the shell still has the terminal. */
  constructor(clock: Clock, isEarly: () => boolean, write: (data: string | Uint8Array) => void) {
    this.#clock = clock;
    this.#isEarly = isEarly;
    this.#write = write;
  }

  type(data: string | Uint8Array): void {
    if (this.#kept.length > 0) this.#kept.push(data);
    else if (isStop(data) && this.#isEarly()) {
      this.#kept.push(data);
      this.#wait(this.#clock.monotonicMs() + LONGEST_MS);
    } else this.#write(data);
  }

  #wait(untilMs: number): void {
    this.#clock.after(LOOK_EVERY_MS, () => {
      if (this.#isEarly() && this.#clock.monotonicMs() < untilMs) return this.#wait(untilMs);
      for (const data of this.#kept.splice(0)) this.#write(data);
    });
  }
}

function isStop(data: string | Uint8Array): boolean {
  return typeof data === 'string' && data.includes(STOP);
}
