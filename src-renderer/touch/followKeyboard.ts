import type { Stop } from '../rpc/Rpc.ts';

/**
 * Keeps the window above the keyboard of the screen. Where the browser makes the page smaller for it (`interactive-widget`) there is nothing to do;
 * Safari lays the keyboard over the page and scrolls it, so the height that is seen is set as the window's.
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
