import type { Stop } from '../rpc/Rpc.ts';

/**
 * Keeps the window above the on-screen keyboard. Browsers with `interactive-widget` make the page smaller by themselves. Safari covers the page with
 * the keyboard and scrolls it, so the visible height is set as the window's.
 */
export function followKeyboard(into: HTMLElement, seen: VisualViewport | null = window.visualViewport): Stop {
  if (!seen) return () => undefined;
  const follow = () => {
    const isCovered = seen.scale === 1 && innerHeight - seen.height > 1; // else the person has zoomed in
    if (isCovered) into.style.setProperty('--seen-height', `${seen.height}px`);
    else into.style.removeProperty('--seen-height');
    if (isCovered) scrollTo(0, 0);
  };
  follow();
  seen.addEventListener('resize', follow);
  seen.addEventListener('scroll', follow);
  return () => {
    seen.removeEventListener('resize', follow);
    seen.removeEventListener('scroll', follow);
  };
}
