/** Linux passes a long write of a program on in pieces of this size (iterate_tty_write), and a busy machine may pause between two. */
const PIECE_BYTES = 2048;

/** Finds from the sizes of output whether a program's write is probably not complete yet. */
export class LongWrites {
  #at = 0;
  #sinceAt = 0;
  #lastBytes = 0;

  /** Offset of the end of the output. */
  get at(): number {
    return this.#at;
  }

  /** Call this when a new drawing begins, before its first `add`. */
  begin(): void {
    this.#sinceAt = this.#at;
  }

  /** Call this with the end of each piece of output. */
  add(at: number): void {
    this.#lastBytes = at - this.#at;
    this.#at = at;
  }

  /** The output since the beginning of the drawing, or the last of it, has the size of whole pieces. */
  get isCutOff(): boolean {
    return hasWholePieces(this.#at - this.#sinceAt) || hasWholePieces(this.#lastBytes);
  }
}

function hasWholePieces(bytes: number): boolean {
  return bytes > 0 && bytes % PIECE_BYTES === 0;
}
