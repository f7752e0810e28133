import type { Piece } from '../composer/foldKeys.ts';
import type { Stop } from '../rpc/Rpc.ts';

/** Holds keys that are typed while another tab is opening, because they are for that tab. */
export class NextTab {
  #expected = $state(0);
  #pieces: Piece[] = [];
  /** Receives the typed keys, in order, once the tab is shown or is known not to open. */
  onShown: (pieces: readonly Piece[]) => void = () => undefined;

  get isExpected(): boolean {
    return this.#expected > 0;
  }

  /** Call when another tab is requested. Call the result, once or more, when it is shown or will not be. */
  expect(): Stop {
    this.#expected += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#expected -= 1;
      if (!this.isExpected) this.onShown(this.#pieces.splice(0));
    };
  }

  take(piece: Piece): void {
    this.#pieces.push(piece);
  }
}
