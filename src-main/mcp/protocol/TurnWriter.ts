/** A reader that waits need not wait for more than this to be made. */
const FULL_LENGTH = 64 * 1024;

/**
 * Gathers what is written in one turn of the event loop, its microtasks included, and hands it on in one piece: a system call for each
 * answer was a third of what a call cost. Nothing is held longer than the turn.
 */
export class TurnWriter<Piece extends { readonly length: number }> {
  readonly #hand: (pieces: readonly Piece[]) => void;
  #held: Piece[] = [];
  #length = 0;

  /** `hand` gets what is due, in order and never empty. */
  constructor(hand: (pieces: readonly Piece[]) => void) {
    this.#hand = hand;
  }

  write(piece: Piece): void {
    if (this.#held.length === 0) process.nextTick(() => this.flush());
    this.#held.push(piece);
    this.#length += piece.length;
    if (this.#length >= FULL_LENGTH) this.flush();
  }

  /** Hands on at once what is held. */
  flush(): void {
    if (this.#held.length === 0) return;
    const pieces = this.#held;
    this.#held = [];
    this.#length = 0;
    this.#hand(pieces);
  }
}
