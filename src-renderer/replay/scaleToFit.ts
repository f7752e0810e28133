/** Shrinks an element to fit its parent, by `--scale`. Returns a function that stops. */
export function scaleToFit(element: HTMLElement): () => void {
  const room = element.parentElement;
  if (!room) return () => undefined;
  const fit = () => {
    const { offsetWidth, offsetHeight } = element;
    if (offsetWidth === 0 || offsetHeight === 0) return;
    const scale = Math.min(1, room.clientWidth / offsetWidth, room.clientHeight / offsetHeight);
    element.style.setProperty('--scale', String(scale));
  };
  const observer = new ResizeObserver(fit);
  observer.observe(room);
  observer.observe(element);
  return () => observer.disconnect();
}
