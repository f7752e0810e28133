/** Gives an element the focus once the dialog around it has taken it back from what was there before. */
export function focusSoon(element: HTMLElement): () => void {
  const frame = requestAnimationFrame(() => element.focus());
  return () => cancelAnimationFrame(frame);
}
