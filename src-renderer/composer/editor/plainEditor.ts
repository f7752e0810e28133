import { isComposing } from '../../ui/browser/isComposing.ts';
import { caretMove, type Edit, lineEdit } from '../line/composerKeys.ts';
import type { EditorEvents, LineEditor, TextRange } from './LineEditor.ts';
import './plainEditor.css';

/** A plain text area: takes keys before CodeMirror is loaded, or if it cannot be loaded. */
export function makePlainEditor(host: HTMLElement, events: EditorEvents): LineEditor {
  const area = makeArea();
  const fitRows = () => {
    area.rows = Math.min(12, area.value.split('\n').length);
  };
  const changed = () => {
    fitRows();
    events.typed(area.value);
  };
  const apply = ({ from, to, insert }: Edit) => {
    area.setRangeText(insert, from, to, 'end');
    changed();
  };
  const look = () => lookAt(area);
  area.addEventListener('keydown', (event) => {
    if (!isComposing(event) && events.keydown(event)) event.preventDefault();
  });
  area.addEventListener('input', changed);
  area.addEventListener('focus', () => events.focused());
  area.addEventListener('blur', () => events.blurred());
  fitRows();
  host.append(area);
  return {
    look,
    focus: () => area.focus(),
    apply,
    // Placeholders are not marked: the first one is selected, and the person finds the others by their braces.
    fill(edit, [first]) {
      apply(edit);
      const { from = 0, to = 0 } = first?.ranges[0] ?? {};
      if (first) area.setSelectionRange(edit.from + from, edit.from + to);
      area.focus();
    },
    goToField: () => undefined,
    useKeys: () => undefined,
    run(command) {
      const view = { ...look(), hasChoices: false };
      const edit = lineEdit(command, view);
      if (edit) apply(edit);
      const caret = caretMove(command, view);
      if (caret !== undefined) area.setSelectionRange(caret, caret);
    },
    show(text) {
      if (area.value === text) return;
      area.value = text;
      fitRows();
    },
    select: (start, end) => area.setSelectionRange(start, end),
    describe({ label, placeholder }) {
      area.placeholder = placeholder;
      area.setAttribute('aria-label', label);
    },
    showsGhost: false,
    showGhost: () => undefined, // a text area cannot show text that is not its own
    showUnknown: () => undefined,
    keep: () => undefined,
    dispose: () => area.remove(),
  };
}

function lookAt({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): TextRange {
  return { text: value, start: selectionStart, end: selectionEnd };
}

function makeArea(): HTMLTextAreaElement {
  const area = document.createElement('textarea');
  area.spellcheck = false;
  area.autocapitalize = 'off';
  area.autocomplete = 'off';
  area.setAttribute('aria-autocomplete', 'list');
  return area;
}
