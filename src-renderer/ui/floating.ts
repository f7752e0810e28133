/**
 * What every menu, tip and popover is placed with: it turns to the side with room, moves along its anchor and, where there is too little of
 * both, becomes shorter and scrolls (`floating.css`), so that it stays inside the window.
 */
export const FLOATING = { collisionPadding: 8, sideOffset: 6 } as const;

const OPEN = '[role="menu"][data-state="open"], [role="dialog"][data-state="open"]';

/** Whether a menu or a sheet is open. It takes the focus only a moment after it was opened, and the keys are for it already. */
export function isFloatOpen(): boolean {
  return document.querySelector(OPEN) !== null;
}
