/** The median of the last round trips; one slow one says nothing about the line. */
const KEPT = 5;

/** Round trips in ms. */
export class Latency {
  #last: number[] = [];

  add(ms: number): void {
    this.#last = [...this.#last, ms].slice(-KEPT);
  }

  forget(): void {
    this.#last = [];
  }

  get medianMs(): number | null {
    const sorted = [...this.#last].sort((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)];
    return middle === undefined ? null : Math.round(middle * 10) / 10;
  }
}
