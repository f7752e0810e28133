import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import { getCM, Vim, vim } from '@replit/codemirror-vim';
import { strings } from '../../app/strings.ts';
import type { EditorMode } from './LineEditor.ts';

/** The composer is no file: what would write or close one does nothing, as in a shell's own vi mode. */
const NO_FILE = [
  ['write', 'w'],
  ['quit', 'q'],
  ['wq', 'wq'],
  ['xit', 'x'],
  ['wqall', 'wqa'],
  ['qall', 'qa'],
  ['edit', 'e'],
] as const;
for (const [name, short] of NO_FILE) Vim.defineEx(name, short, () => undefined);
// Ctrl+R is the window's search through history.
Vim.map('U', '<C-r>', 'normal');

/** Ctrl+V is the system's paste in every mode. */
function keepPaste(event: KeyboardEvent): void {
  if (event.ctrlKey && event.key.toLowerCase() === 'v') event.stopPropagation();
}

/** Vim's keys. `changed` is called with each mode, the first one included, and with null when they are taken away. */
export function vimKeys(changed: (mode: EditorMode | null) => void): Extension {
  const watch = ViewPlugin.define((view) => {
    const report = ({ mode }: { mode: string }) =>
      changed(/^(?:insert|visual|replace)$/.test(mode) ? (mode as EditorMode) : 'normal');
    const cm = getCM(view);
    const name = () => cm?.state.dialog?.querySelector('input')?.setAttribute('aria-label', strings.composer.vimLine);
    cm?.on('vim-mode-change', report);
    cm?.on('dialog', name);
    view.dom.addEventListener('keydown', keepPaste, { capture: true });
    return {
      destroy() {
        cm?.off('vim-mode-change', report);
        cm?.off('dialog', name);
        view.dom.removeEventListener('keydown', keepPaste, { capture: true });
        changed(null);
      },
    };
  });
  return [vim(), watch];
}

/** A new line begins in insert mode, and so does text that was typed elsewhere: no letter of it becomes a command. The selection stays. */
export function toInsertMode(view: EditorView): void {
  const cm = getCM(view);
  const state = cm?.state.vim;
  if (!cm || !state || state.insertMode) return;
  const { selection } = view.state;
  // The first one ends a selection or what was begun.
  for (const key of ['<Esc>', '<Esc>', 'i']) Vim.handleKey(cm, key, 'user');
  view.dispatch({ selection });
}

/** What a key press is to the composer; null: it is Vim's alone. */
export function composerPress(event: KeyboardEvent, view: EditorView): KeyboardEvent | null {
  const state = getCM(view)?.state.vim;
  if (!state) return event;
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
  if (state.insertMode) return key === 'Escape' ? null : event;
  const { keyBuffer, operator, prefixRepeat, motionRepeat } = state.inputState;
  const isPending = keyBuffer.length > 0 || operator || prefixRepeat.length > 0 || motionRepeat.length > 0;
  if (isPending || altKey || metaKey) return null; // `r` and Return replaces a character, and runs nothing
  // Ctrl+D ends the input of an empty line; in another one Vim scrolls by it, and no character goes.
  if (ctrlKey) return /^[cl]$/.test(key) || (key === 'd' && view.state.doc.length === 0) ? event : null;
  if (/^(?:Enter|Tab|Escape|ArrowUp|ArrowDown)$/.test(key)) return event;
  const arrow = state.visualMode || shiftKey ? undefined : { k: 'ArrowUp', j: 'ArrowDown' }[key];
  return arrow === undefined ? null : new KeyboardEvent('keydown', { key: arrow });
}
