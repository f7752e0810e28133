/** Start of each style in a line: byte offset, style, byte offset, style, …, offsets ascending. */
export class StyleRuns {
  #runs: number[] = [];

  get list(): readonly number[] {
    return this.#runs;
  }

  clear(): void {
    this.#runs = [];
  }

  /** Notes that text from `at` on has `style`. */
  note(at: number, style: number): void {
    if (this.#runs.at(-1) !== style) this.#runs.push(at, style);
  }

  /** Adds another line's runs, offset by `at` bytes. */
  append(at: number, runs: readonly number[]): void {
    for (let i = 0; i < runs.length; i += 2) this.#runs.push(at + (runs[i] as number), runs[i + 1] as number);
  }

  /** Returns a function that gives the style at ascending offsets; `otherwise` before the first run. */
  reader(otherwise: number): (at: number) => number {
    let run = 0;
    return (at) => {
      while (run + 2 < this.#runs.length && (this.#runs[run + 2] as number) <= at) run += 2;
      return this.#runs[run + 1] ?? otherwise;
    };
  }

  /** Removes runs that begin at `at` or later. */
  cutTail(at: number): void {
    while (this.#runs.length > 0 && (this.#runs[this.#runs.length - 2] as number) >= at) this.#runs.length -= 2;
  }

  /** Removes and returns the runs of the first `count` bytes; the others then count from there. */
  cutHead(count: number): number[] {
    const head: number[] = [];
    let rest: number[] = [];
    for (let i = 0; i < this.#runs.length; i += 2) {
      const at = this.#runs[i] as number;
      const style = this.#runs[i + 1] as number;
      if (at < count) head.push(at, style);
      if (at <= count) rest = [];
      rest.push(Math.max(0, at - count), style);
    }
    this.#runs = rest;
    return head;
  }
}
