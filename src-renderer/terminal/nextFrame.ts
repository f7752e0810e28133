/** Resolves when the browser has laid out and measured what was changed until now. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}
