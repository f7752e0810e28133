import type { BlockPane } from './BlockPane.svelte.ts';

/** Copies text selected with the mouse, in the live terminal or in cards, when the button is released and the setting is on. */
export function copyOnSelect(pane: BlockPane, element: HTMLElement): () => void {
  const copy = (): void => {
    if (!pane.app.settings.current['terminal.copyOnSelect']) return;
    const text = pane.live.xterm.getSelection() || String(getSelection());
    if (text.trim() !== '') void navigator.clipboard.writeText(text).catch(() => undefined); // refused: the copy key still works
  };
  // Waits for the click itself, which may end a selection.
  const onUp = (): void => void requestAnimationFrame(copy);
  element.addEventListener('mouseup', onUp);
  return () => element.removeEventListener('mouseup', onUp);
}
