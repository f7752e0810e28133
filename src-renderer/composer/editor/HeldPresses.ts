import type { EditorView } from '@codemirror/view';
import { pieceOf } from '../plainKeys.ts';

/**
 * Keys that are pressed while a lookup for the line is running, for an editor with Vim's keys: a letter is a command or text by what the keys
 * before it did, so they are pressed again in their order, each when the lookups before it have ended.
 */
export class HeldPresses {
  readonly #lookup: () => Promise<void> | null;
  readonly #held: KeyboardEvent[] = [];
  #isPressing = false;

  constructor(lookup: () => Promise<void> | null) {
    this.#lookup = lookup;
  }

  /** True if the key was held, and must do nothing now. */
  keep(event: KeyboardEvent, view: EditorView): boolean {
    const isFree = this.#held.length === 0 && this.#lookup() === null;
    if (this.#isPressing || isFree || pieceOf(event) === undefined) return false;
    this.#held.push(event);
    if (this.#held.length === 1) void this.#pressAll(view);
    return true;
  }

  async #pressAll(view: EditorView): Promise<void> {
    for (let event = this.#held[0]; event; event = this.#held[0]) {
      await this.#lookup();
      this.#isPressing = true;
      if (view.dom.isConnected) press(view, event);
      this.#isPressing = false;
      this.#held.shift(); // not before, so that keys that come meanwhile are held behind it
    }
  }
}

/** A key pressed by a program writes nothing by itself. */
function press(view: EditorView, event: KeyboardEvent): void {
  const again = new KeyboardEvent('keydown', event);
  const isHandled = !view.contentDOM.dispatchEvent(again);
  const piece = pieceOf(event);
  if (isHandled || !piece || piece.text < ' ') return;
  view.dispatch(view.state.replaceSelection(piece.text), { userEvent: 'input.type', scrollIntoView: true });
}
