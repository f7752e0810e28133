import type { Page } from 'playwright-core';

/** A list that has not moved for this long is at its end. */
const STILL_MS = 1_500;

/** Scrolls the `index`th match of `scroller` by `stepPx` a frame, as a wheel does, until it is at its end. */
export function scrollList(page: Page, scroller: string, stepPx: number, index = 0): Promise<void> {
  return page.evaluate(
    ({ scroller, stepPx, index, stillMs }) =>
      new Promise<void>((resolve, reject) => {
        const list = document.querySelectorAll(scroller)[index];
        if (!list) return reject(new Error(`no list to scroll: ${scroller}`));
        let movedMs = performance.now();
        let before = Number.NEGATIVE_INFINITY;
        const step = (nowMs: number): void => {
          if (Math.abs(list.scrollTop - before) > 1) movedMs = nowMs;
          if (nowMs - movedMs > stillMs) return resolve();
          before = list.scrollTop;
          list.dispatchEvent(new WheelEvent('wheel', { deltaY: stepPx, bubbles: true })); // the list recognizes a reader by this event
          list.scrollTop += stepPx;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    { scroller, stepPx, index, stillMs: STILL_MS },
  );
}
