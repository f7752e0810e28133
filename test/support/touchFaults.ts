import type { Page } from 'playwright-core';

const LEAST_PX = 44;
const LEAST_FONT_PX = 16;

/** Elements that fail on a narrow touch screen: outside of the page, too small for a finger, or fields into which Safari zooms. */
export function touchFaults(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ leastPx, leastFontPx }) => {
      const found = new Set<string>();
      const name = (element: Element) =>
        `${element.tagName.toLowerCase()}.${[...element.classList].join('.')} "${(element.textContent ?? '').trim().slice(0, 20)}"`;
      /** Whether an ancestor scrolls or clips the element, such as text for screen readers. */
      const isCut = (element: Element): boolean => {
        for (let up = element.parentElement; up; up = up.parentElement) {
          const { overflowX, clipPath } = getComputedStyle(up);
          if (overflowX !== 'visible' || clipPath !== 'none') return true;
        }
        return false;
      };
      if (document.documentElement.scrollWidth > innerWidth) found.add('the page scrolls sideways');
      for (const element of document.querySelectorAll<HTMLElement>('body *')) {
        const box = element.getBoundingClientRect();
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || box.width === 0) continue;
        if (element.closest('.unseen, .xterm, [inert]')) continue;
        if (!isCut(element) && (box.left < -1 || box.right > innerWidth + 1)) found.add(`outside: ${name(element)}`);
        // A button in a line of text has a larger hit area in `::after`.
        const around = getComputedStyle(element, '::after');
        const isWider = around.position === 'absolute' && around.content !== 'none';
        const width = Math.max(box.width, isWider ? Number.parseFloat(around.width) : 0);
        const height = Math.max(box.height, isWider ? Number.parseFloat(around.height) : 0);
        if (element.matches('button, select, [role="tab"], [role="option"]') && Math.min(width, height) < leastPx - 0.5)
          found.add(`small: ${name(element)} ${width} × ${height}`);
        const isField = element.matches(
          'textarea, select, input:not([type="checkbox"], [type="radio"], [type="range"]), .cm-content',
        );
        if (isField && Number.parseFloat(getComputedStyle(element).fontSize) < leastFontPx)
          found.add(`zoomed into: ${name(element)}`);
      }
      return [...found];
    },
    { leastPx: LEAST_PX, leastFontPx: LEAST_FONT_PX },
  );
}
