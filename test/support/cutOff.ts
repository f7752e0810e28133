import type { Page } from 'playwright-core';

/** Sizes of 1440 × 900 px and 1280 × 800 px at a zoom of 200 %. */
export const ZOOMED_SIZES = [
  { width: 720, height: 450 },
  { width: 640, height: 400 },
];

/** Lists parts that reach over the window's edges, and cut text that cannot be scrolled into view. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const name = (element: Element) => `${element.tagName}.${element.className} ${element.textContent?.slice(0, 40)}`;
    const { scrollWidth, scrollHeight } = document.documentElement;
    if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} px wide`);
    if (scrollHeight > innerHeight) faults.push(`the page is ${scrollHeight} px high`);
    const floats = '[role=dialog], [role=menu], [role=tooltip], [role=listbox]';
    for (const element of document.querySelectorAll(floats)) {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) faults.push(`outside: ${name(element)}`);
    }
    for (const button of document.querySelectorAll('header button, aside button, .composer button')) {
      const { left, right, width } = button.getBoundingClientRect();
      if (!button.checkVisibility({ visibilityProperty: true })) continue; // in a closed drawer
      if (width > 0 && (left < 0 || right > innerWidth)) faults.push(`outside: ${name(button)}`);
    }
    for (const element of document.querySelectorAll(
      '[role=dialog], [role=dialog] *, [role=menu], .welcome, .welcome *',
    )) {
      const { overflowY, textOverflow, display } = getComputedStyle(element);
      const isClipped = overflowY === 'hidden' || overflowY === 'clip';
      if (!isClipped || textOverflow === 'ellipsis' || display === 'inline') continue;
      if (element.clientHeight <= 1) continue; // for screen readers only
      if (element.closest('[aria-hidden=true], .unseen, .xterm, select, [class*=scrim]')) continue;
      const { bottom } = element.getBoundingClientRect();
      // A replay cuts off the blank end of a screen that would be too small to read: see fitScreen.
      const written = [...element.querySelectorAll('.xterm-rows > div')].filter((row) => row.textContent?.trim());
      const all = ':not(.unseen, .unseen *, option)';
      const shown = element.matches('.stage') ? written : [...element.querySelectorAll(all)];
      if (element.matches('.stage') && written.length === 0) faults.push('the replay shows no text');
      const isCut = shown.some((part) => part.getBoundingClientRect().bottom > bottom + 2);
      if (isCut) faults.push(`cut off: ${name(element)}`);
    }
    return faults;
  });
}
