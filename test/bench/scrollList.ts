import type { Page } from 'playwright-core';

/** The list has come to its end when it has not moved for this long. */
const STILL_MS = 1_500;

/** One step of `stepPx` a frame, as a wheel gives them, until the list has not moved for a while: the `index`th that `scroller` finds. */
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
          list.dispatchEvent(new WheelEvent('wheel', { deltaY: stepPx, bubbles: true })); // the list tells a reader by it
          list.scrollTop += stepPx;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    { scroller, stepPx, index, stillMs: STILL_MS },
  );
}
