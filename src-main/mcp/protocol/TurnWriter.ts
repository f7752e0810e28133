/** At this length the output is written at once, so that a waiting reader need not wait for more. */
const FULL_LENGTH = 64 * 1024;

/**
 * Collects the output of one turn of the event loop, including its microtasks, and passes it on in one piece: a system call per answer was a third of
 * a call's cost. Holds output for at most one turn.
 */
export class TurnWriter<Piece extends { readonly length: number }> {
  readonly #hand: (pieces: readonly Piece[]) => void;
  #held: Piece[] = [];
  #length = 0;

  /** `hand` gets the pending pieces, in order and never empty. */
  constructor(hand: (pieces: readonly Piece[]) => void) {
    this.#hand = hand;
  }

  write(piece: Piece): void {
    if (this.#held.length === 0) process.nextTick(() => this.flush());
    this.#held.push(piece);
    this.#length += piece.length;
    if (this.#length >= FULL_LENGTH) this.flush();
  }

  /** Passes on the held pieces at once. */
  flush(): void {
    if (this.#held.length === 0) return;
    const pieces = this.#held;
    this.#held = [];
    this.#length = 0;
    this.#hand(pieces);
  }
}
