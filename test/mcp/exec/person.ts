import { setTimeout as sleep } from 'node:timers/promises';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';

/** mulberry32: the same seed gives the same run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A uniformly distributed integer from 0 to `most`. */
  upTo(most: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * (most + 1));
  }
}

/** A shell has handled a Ctrl-C when it has printed nothing for this long. */
const QUIET_MS = 60;

/** Simulates a person at the keyboard: complete and partial lines, corrections, interrupts and pastes. */
export class Person {
  /** Every key in order; a paste is one entry with its text. */
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

  /** Clears the line. A shell may lose a key after a Ctrl-C, so the caller may have to repeat it. */
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
   * Presses Ctrl-C and waits until the output is quiet. When Return comes before bash 5.2 has handled a Ctrl-C, bash runs the previous line
   * without its first character, even without a client.
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
