/** Caches an answer that takes a system call: asks at most once in `holdsMs`. */
export class HeldAnswer {
  readonly #ask: () => boolean;
  readonly #holdsMs: number;
  readonly #onChange: (answer: boolean) => void;
  #askedMs = Number.NEGATIVE_INFINITY;
  #answer = true;

  /** Calls `onChange` when an answer differs from the previous one; the first is compared with true. */
  constructor(ask: () => boolean, { holdsMs, onChange }: { holdsMs: number; onChange: (answer: boolean) => void }) {
    this.#ask = ask;
    this.#holdsMs = holdsMs;
    this.#onChange = onChange;
  }

  get value(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#askedMs < this.#holdsMs) return this.#answer;
    const answer = this.#ask();
    if (answer !== this.#answer) this.#onChange(answer);
    this.#askedMs = nowMs;
    this.#answer = answer;
    return answer;
  }
}
