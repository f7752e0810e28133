import { defaultKeymap, historyField, historyKeymap, isolateHistory } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { Annotation, Compartment, EditorSelection, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  placeholder as placeholderOf,
  rectangularSelection,
} from '@codemirror/view';
import { type ComposerCommand, caretMove, type Edit, lineEdit } from '../line/composerKeys.ts';
import { editorTheme } from './editorTheme.ts';
import { activeFields, fieldsExtension, fieldView, goToField, startFields } from './fields.ts';
import { ghostText, setGhost } from './ghostWidget.ts';
import type { EditorEvents, EditorLabels, KeptLine, LineEditor } from './LineEditor.ts';
import { shellLanguage } from './shellLanguage.ts';
import { undoSteps } from './undoSteps.ts';
import { setUnknown, unknownMarks } from './unknownMarks.ts';
import { VimSwitch } from './VimSwitch.ts';

/** CodeMirror's keys that every text field has, and those that add carets above and below. The shells' keys come before them. */
const KEYS = [
  ...defaultKeymap.filter(
    ({ key = '' }) => !/^(Ctrl-m|Escape|Mod-\/|Alt-A|Alt-l|Mod-Enter|Shift-Mod-k|Mod-\[|Mod-\])$/i.test(key),
  ),
  ...historyKeymap,
];

/** Marks a change that comes from the draft, not from the person's keys. */
const fromDraft = Annotation.define<boolean>();

/** The state that is kept of a line besides its text and its carets. */
const KEPT = { history: historyField, fields: activeFields };

/** CodeMirror as the composer's text field. */
export function makeCodeEditor(host: HTMLElement, events: EditorEvents, kept?: KeptLine): LineEditor {
  const labels = new Compartment();
  const vim = new VimSwitch(events);
  const config = { extensions: [vim.extension, ...extensionsOf(events), labels.of([])] };
  const state = kept ? EditorState.fromJSON(kept, config, KEPT) : EditorState.create(config);
  const view = new EditorView({
    parent: host,
    state,
    ...(kept && { scrollTo: EditorView.scrollIntoView(state.selection.main) }),
  });
  if (kept) events.fieldChanged(fieldView(state));
  const apply = ({ from, to, insert }: Edit) => {
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + view.state.toText(insert).length },
      userEvent: 'input',
      annotations: isolateHistory.of('full'),
      scrollIntoView: true,
    });
    view.focus();
  };
  return {
    look() {
      const { from, to } = view.state.selection.main;
      return { text: view.state.doc.toString(), start: from, end: to };
    },
    focus() {
      if (!view.hasFocus) vim.toInsertMode(view);
      view.focus();
    },
    apply,
    fill(edit, fields) {
      apply(edit);
      vim.toInsertMode(view);
      startFields(view, edit.from, fields);
    },
    goToField: (step) => goToField(view, step),
    run: (command) => runAtCarets(view, command),
    show(text) {
      if (view.state.doc.toString() === text) return;
      if (text === '') vim.toInsertMode(view);
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: view.state.toText(text).length },
        annotations: [fromDraft.of(true), isolateHistory.of('full')],
        scrollIntoView: true,
      });
    },
    select: (start, end) => view.dispatch({ selection: { anchor: start, head: end } }),
    showUnknown: (words) => view.dispatch({ effects: setUnknown.of(words) }),
    showsGhost: true,
    showGhost: (rest) => view.dispatch({ effects: setGhost.of(rest) }),
    useKeys: (keys) => vim.use(view, keys),
    describe: (texts) => view.dispatch({ effects: labels.reconfigure(labelled(texts)) }),
    keep: () => view.state.toJSON(KEPT),
    dispose: () => view.destroy(),
  };
}

function extensionsOf(events: EditorEvents): Extension[] {
  return [
    EditorState.allowMultipleSelections.of(true),
    EditorState.tabSize.of(4),
    EditorView.lineWrapping,
    highlightSpecialChars({ addSpecialChars: /[\u202a-\u202c\u2068]/g }), // CodeMirror already shows the other bidirectional control characters
    drawSelection(),
    rectangularSelection(),
    bracketMatching(),
    undoSteps,
    shellLanguage,
    editorTheme,
    ghostText,
    unknownMarks,
    fieldsExtension((field) => events.fieldChanged(field)),
    keymap.of(KEYS),
    EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions }) => {
      if (!docChanged) return selectionSet ? events.moved() : undefined;
      if (!transactions.some((one) => one.annotation(fromDraft))) events.typed(state.doc.toString());
    }),
  ];
}

function labelled({ label, placeholder, listId, choiceId }: EditorLabels) {
  return [
    placeholderOf(placeholder),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-autocomplete': 'list',
      'aria-placeholder': placeholder,
      ...(listId && { 'aria-controls': listId }),
      ...(choiceId && { 'aria-activedescendant': choiceId }),
    }),
  ];
}

function runAtCarets(view: EditorView, command: ComposerCommand): void {
  const { state } = view;
  const text = state.doc.toString();
  const change = state.changeByRange((range) => {
    const at = { text, start: range.from, end: range.to, hasChoices: false };
    const edit = lineEdit(command, at);
    const caret = edit ? edit.from + edit.insert.length : caretMove(command, at);
    return {
      ...(edit && { changes: edit }),
      range: caret === undefined ? range : EditorSelection.cursor(caret),
    };
  });
  view.dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }));
}
