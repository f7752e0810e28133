import { Compartment, type Extension, Prec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { isComposing } from '../../ui/browser/isComposing.ts';
import { HeldPresses } from './HeldPresses.ts';
import type { EditorEvents, EditorKeys } from './LineEditor.ts';

type VimKeys = typeof import('./vimKeys.ts');

/** The composer's keys come first, then Vim's, which load on first use, then the editor's own. */
export class VimSwitch {
  readonly extension: Extension;
  readonly #events: EditorEvents;
  readonly #vim = new Compartment();
  readonly #held: HeldPresses;
  #wanted: EditorKeys = 'default';
  /** While Vim's keys are in use. */
  #keys: VimKeys | undefined;

  constructor(events: EditorEvents) {
    this.#events = events;
    this.#held = new HeldPresses(() => events.lookup());
    this.extension = [Prec.highest(EditorView.domEventHandlers(this.#handlers())), Prec.high(this.#vim.of([]))];
  }

  use(view: EditorView, keys: EditorKeys): void {
    if (keys === this.#wanted) return;
    this.#wanted = keys;
    if (keys === 'vim') void this.#load(view);
    else this.#put(view, undefined);
  }

  toInsertMode(view: EditorView): void {
    this.#keys?.toInsertMode(view);
  }

  async #load(view: EditorView): Promise<void> {
    try {
      const keys = await import('./vimKeys.ts');
      if (this.#wanted === 'vim' && view.dom.isConnected) this.#put(view, keys);
    } catch (error) {
      console.warn(error); // the default keys still work
    }
  }

  #put(view: EditorView, keys: VimKeys | undefined): void {
    this.#keys = keys;
    const extension = keys?.vimKeys((mode) => this.#events.modeChanged(mode)) ?? [];
    view.dispatch({ effects: this.#vim.reconfigure(extension) });
    keys?.toInsertMode(view);
  }

  #handlers() {
    const events = this.#events;
    return {
      keydown: (event: KeyboardEvent, view: EditorView) => {
        if (isComposing(event)) return false;
        if (this.#keys && this.#held.keep(event, view)) return true;
        const press = this.#keys ? this.#keys.composerPress(event, view) : event;
        return press !== null && events.keydown(press);
      },
      // The window inserts the paths of dropped files; CodeMirror would insert their contents.
      drop: (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false,
      focus: () => events.focused(),
      blur: () => events.blurred(),
    };
  }
}
