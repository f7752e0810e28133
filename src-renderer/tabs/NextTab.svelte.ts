import type { Piece } from '../composer/foldKeys.ts';
import type { Stop } from '../rpc/Rpc.ts';

/** What is typed while another tab is about to be shown is kept for that tab: it was meant for no other. */
export class NextTab {
  #expected = $state(0);
  #pieces: Piece[] = [];
  /** Gets what was typed, in order, once the tab is shown or is known not to come. */
  onShown: (pieces: readonly Piece[]) => void = () => undefined;

  get isExpected(): boolean {
    return this.#expected > 0;
  }

  /** Another tab is asked for. Call the result, once or more, when it is shown or will not be. */
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
