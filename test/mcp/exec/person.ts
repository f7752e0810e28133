import { setTimeout as sleep } from 'node:timers/promises';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';

/** mulberry32: the same seed, the same run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 0 to `most`, each as likely. */
  upTo(most: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * (most + 1));
  }
}

/** How long a shell is given to be done with a Ctrl-C, by what it prints. */
const QUIET_MS = 60;

/** Somebody at the keyboard: whole lines, half lines, second thoughts, pastes. */
export class Person {
  /** Every key in its order; of a paste the text. */
  readonly typed: string[] = [];
  readonly #terminal: PtyInstance;
  readonly #random: Random;
  readonly #run: number;
  #count = 0;

  constructor(terminal: PtyInstance, random: Random, run: number) {
    this.#terminal = terminal;
    this.#random = random;
    this.#run = run;
  }

  async work(): Promise<void> {
    for (let left = this.#random.upTo(3); left >= 0; left--) {
      await sleep(this.#random.upTo(80));
      await this.#act(this.#random.upTo(9));
    }
  }

  /** Nothing of theirs stays in the line. A shell may lose a key behind a Ctrl-C, so it may have to be said again. */
  leave(): void {
    this.#key('\x15');
    this.#key('\r');
  }

  async #act(what: number): Promise<void> {
    this.#count += 1;
    const word = `true p${this.#run}n${this.#count}`;
    if (what === 0) return this.#key('\r');
    if (what === 1) return this.#paste(word);
    await this.#keys(word);
    if (what <= 5) return this.#key('\r');
    if (what === 6) return this.#key('\x15');
    if (what === 7) return this.#interrupt();
    if (what === 8) await this.#keys('\x7f\x7f\x7f');
  }

  /**
   * bash 5.2, with no client near, runs what last stood in the line but for its first character when Return comes before it is done with a
   * Ctrl-C. So the person looks before they go on.
   */
  async #interrupt(): Promise<void> {
    this.#key('\x03');
    for (let size = -1; size !== this.#terminal.rawSize || this.#terminal.input.isHeld; await sleep(QUIET_MS))
      size = this.#terminal.rawSize;
  }

  async #keys(text: string): Promise<void> {
    for (const key of text) {
      this.#key(key);
      if (this.#random.upTo(2) === 0) await sleep(this.#random.upTo(15));
    }
  }

  #key(key: string): void {
    this.typed.push(key);
    this.#terminal.type(key);
  }

  async #paste(text: string): Promise<void> {
    this.typed.push(text);
    await this.#terminal.paste(text, true);
  }
}
