import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';

export const setGhost = StateEffect.define<string>();

/** Cleared by each change, because another text has another rest. */
const ghost = StateField.define<string>({
  create: () => '',
  update: (value, { docChanged, effects }) =>
    effects.findLast((effect) => effect.is(setGhost))?.value ?? (docChanged ? '' : value),
});

class GhostWidget extends WidgetType {
  readonly #rest: string;

  constructor(rest: string) {
    super();
    this.#rest = rest;
  }

  override eq(other: GhostWidget): boolean {
    return other.#rest === this.#rest;
  }

  toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-ghost';
    element.setAttribute('aria-hidden', 'true');
    element.textContent = this.#rest;
    return element;
  }

  /** Places the caret at the start of the ghost text. */
  override coordsAt(element: HTMLElement) {
    const { left, top, bottom } = element.getBoundingClientRect();
    return { left, right: left, top, bottom };
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** Text after a caret at the end that is not part of the line. It takes no space, so that the editor never gets higher. */
export const ghostText: Extension = [
  ghost,
  EditorView.decorations.compute([ghost, 'doc', 'selection'], (state) => {
    const rest = state.field(ghost);
    const { ranges, main } = state.selection;
    const end = state.doc.length;
    if (rest === '' || ranges.length > 1 || !main.empty || main.head !== end) return Decoration.none;
    return Decoration.set([Decoration.widget({ widget: new GhostWidget(rest), side: 1 }).range(end)]);
  }),
];
