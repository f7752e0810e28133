import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import { getCM, Vim, vim } from '@replit/codemirror-vim';
import { strings } from '../../app/strings.ts';
import type { EditorMode } from './LineEditor.ts';

/** Commands that write or close a file do nothing in the composer, as in a shell's own vi mode. */
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

/** Vim's keys. Calls `changed` with each mode, also the first, and with null when the keys are removed. */
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

/** Starts a new line, or text typed elsewhere, in insert mode, so that its letters are not commands. The selection stays. */
export function toInsertMode(view: EditorView): void {
  const cm = getCM(view);
  const state = cm?.state.vim;
  if (!cm || !state || state.insertMode) return;
  const { selection } = view.state;
  // The first Escape ends a selection or a pending command.
  for (const key of ['<Esc>', '<Esc>', 'i']) Vim.handleKey(cm, key, 'user');
  view.dispatch({ selection });
}

/** The key press for the composer; null if only Vim handles it. */
export function composerPress(event: KeyboardEvent, view: EditorView): KeyboardEvent | null {
  const state = getCM(view)?.state.vim;
  if (!state) return event;
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
  if (state.insertMode) return key === 'Escape' ? null : event;
  const { keyBuffer, operator, prefixRepeat, motionRepeat } = state.inputState;
  const isPending = keyBuffer.length > 0 || operator || prefixRepeat.length > 0 || motionRepeat.length > 0;
  if (isPending || altKey || metaKey) return null; // after `r`, Return replaces a character and does not run the line
  // Ctrl+D ends the input of an empty line. In other lines Vim scrolls with it and deletes nothing.
  if (ctrlKey) return /^[cl]$/.test(key) || (key === 'd' && view.state.doc.length === 0) ? event : null;
  if (/^(?:Enter|Tab|Escape|ArrowUp|ArrowDown)$/.test(key)) return event;
  const arrow = state.visualMode || shiftKey ? undefined : { k: 'ArrowUp', j: 'ArrowDown' }[key];
  return arrow === undefined ? null : new KeyboardEvent('keydown', { key: arrow });
}
