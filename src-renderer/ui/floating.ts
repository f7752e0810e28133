/**
 * What every menu, tip and popover is placed with: it turns to the side with room, moves along its anchor and, where there is too little of
 * both, becomes shorter and scrolls (`floating.css`), so that it stays inside the window.
 */
export const FLOATING = { collisionPadding: 8, sideOffset: 6 } as const;
