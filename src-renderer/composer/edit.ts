import type { Edit } from './composerKeys.ts';

/**
 * Replaces part of the text as if it were typed, so that the browser's own undo knows it. `execCommand` is the only way to
 * that; where a browser has dropped it, the text is set without undo.
 */
export function applyEdit(area: HTMLTextAreaElement, { from, to, insert }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  const isDone =
    insert === '' ? from === to || document.execCommand('delete') : document.execCommand('insertText', false, insert);
  if (isDone) return;
  area.setRangeText(insert, from, to, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Replaces everything; the caret goes to the end. */
export function replaceText(area: HTMLTextAreaElement, text: string): void {
  applyEdit(area, { from: 0, to: area.value.length, insert: text });
}
