import {
  EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import type { Field } from '../../savedCommands/placeholders.ts';
import type { FieldStep, FieldView } from './LineEditor.ts';

interface Active {
  fields: readonly Field[];
  /** The field at the caret. */
  at: number;
}

const setActive = StateEffect.define<Active | null>();

export const activeFields = StateField.define<Active | null>({
  create: () => null,
  toJSON: (value) => value,
  fromJSON: (value: Active | null) => value,
  update(value, tr) {
    const set = tr.effects.findLast((effect) => effect.is(setActive));
    if (set) return set.value;
    const now = value && tr.docChanged ? mapped(value, tr) : value;
    if (!now) return null;
    const { head } = tr.newSelection.main;
    const isIn = (index: number) =>
      now.fields[index]?.ranges.some(({ from, to }) => head >= from && head <= to) ?? false;
    if (isIn(now.at)) return now;
    const at = now.fields.findIndex((_, index) => isIn(index));
    return at < 0 ? null : { ...now, at }; // a caret outside of the fields ends them
  },
});

/** The field at the caret grows with typing; its neighbours move. */
function mapped({ fields, at }: Active, { changes }: Transaction): Active {
  const map = (ranges: Field['ranges'], out: -1 | 1) =>
    ranges.map(({ from, to }) => {
      const start = changes.mapPos(from, out === 1 ? -1 : 1);
      return { from: start, to: Math.max(start, changes.mapPos(to, out)) };
    });
  return { at, fields: fields.map((field, index) => ({ ...field, ranges: map(field.ranges, index === at ? 1 : -1) })) };
}

/** A placeholder that occurs several times has the same text everywhere, however it was changed. */
function keepSame(tr: Transaction): Transaction | readonly TransactionSpec[] {
  const before = tr.startState.field(activeFields, false);
  if (!tr.docChanged || !before || tr.effects.some((effect) => effect.is(setActive))) return tr;
  const { head } = tr.startState.selection.main;
  const now = mapped(before, tr).fields[before.at]?.ranges ?? [];
  const typedIn = before.fields[before.at]?.ranges.findIndex(({ from, to }) => head >= from && head <= to) ?? -1;
  const source = now[typedIn];
  if (!source || now.length < 2) return tr;
  const insert = tr.newDoc.sliceString(source.from, source.to);
  const changes = now
    .filter((range) => range !== source && tr.newDoc.sliceString(range.from, range.to) !== insert)
    .map(({ from, to }) => ({ from, to, insert }));
  return changes.length === 0 ? tr : [tr, { changes, sequential: true }];
}

const marks = EditorView.decorations.compute([activeFields], (state) => {
  const now = state.field(activeFields);
  const ranges = (now?.fields ?? []).flatMap(({ ranges: places }, index) =>
    places
      .filter(({ from, to }) => from < to)
      .map(({ from, to }) =>
        Decoration.mark({ class: index === now?.at ? 'cm-field cm-field-now' : 'cm-field' }).range(from, to),
      ),
  );
  return Decoration.set(ranges, true);
});

/** The placeholders of a saved command that the person fills in. Calls `moved` when the field or the open ones change. */
export function fieldsExtension(moved: (view: FieldView | null) => void): Extension {
  return [
    activeFields,
    marks,
    EditorView.updateListener.of(({ startState, state }) => {
      if (startState.field(activeFields) !== state.field(activeFields)) moved(fieldView(state));
    }),
    EditorState.transactionFilter.of(keepSame),
  ];
}

export function fieldView(state: EditorState): FieldView | null {
  const now = state.field(activeFields, false);
  const field = now?.fields[now.at];
  if (!now || !field) return null;
  const open = now.fields.findIndex((one) => isOpen(state, one));
  return {
    name: field.name,
    description: field.description,
    at: now.at,
    count: now.fields.length,
    open: open < 0 ? null : { at: open, name: now.fields[open]?.name ?? '' },
  };
}

/** Whether the placeholder is unchanged and has no default. */
function isOpen(state: EditorState, { name, ranges, isOpen: wasOpen }: Field): boolean {
  return wasOpen && ranges.some(({ from, to }) => state.sliceDoc(from, to) === `{{${name}}}`);
}

export function startFields(view: EditorView, offset: number, fields: readonly Field[]): void {
  const placed = fields.map((field) => ({
    ...field,
    ranges: field.ranges.map(({ from, to }) => ({ from: from + offset, to: to + offset })),
  }));
  select(view, { fields: placed, at: 0 });
}

export function goToField(view: EditorView, step: FieldStep): void {
  const now = view.state.field(activeFields);
  if (!now) return;
  if (step === 'end') return view.dispatch({ effects: setActive.of(null) });
  const open = fieldView(view.state)?.open?.at ?? now.at;
  const at = step === 'open' ? open : now.at + (step === 'next' ? 1 : -1);
  if (at < 0) return;
  if (at < now.fields.length) return select(view, { ...now, at });
  view.dispatch({ effects: setActive.of(null), selection: { anchor: view.state.doc.length }, scrollIntoView: true });
}

function select(view: EditorView, next: Active): void {
  const [range] = next.fields[next.at]?.ranges ?? [];
  if (!range) return;
  view.dispatch({
    effects: setActive.of(next),
    selection: { anchor: range.from, head: range.to },
    scrollIntoView: true,
  });
}
