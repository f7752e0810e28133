/** Focuses an element after the dialog around it has moved the focus into itself. */
export function focusSoon(element: HTMLElement): () => void {
  const frame = requestAnimationFrame(() => element.focus());
  return () => cancelAnimationFrame(frame);
}
