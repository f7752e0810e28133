import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { strings } from '../../app/strings.ts';

export const setUnknown = StateEffect.define<readonly { from: number; to: number }[]>();

const mark = Decoration.mark({ class: 'cm-unknown', attributes: { title: strings.composer.notFound } });

/** Underlines words that are not commands. A change of the text removes the underlines until the next check. */
const unknown = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, { docChanged, effects, newDoc }) {
    const words = effects.findLast((effect) => effect.is(setUnknown))?.value;
    if (!words) return docChanged ? Decoration.none : value;
    return Decoration.set(words.filter(({ to }) => to <= newDoc.length).map(({ from, to }) => mark.range(from, to)));
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const unknownMarks: Extension = unknown;
