/** Resolves in the next picture, before it is laid out: what was drawn by the one before is measured, what was changed since is not. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}
