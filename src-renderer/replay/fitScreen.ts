/** Smaller letters are hard to read: a terminal of 13 px letters is drawn with 10 px at least. */
const LEAST_SCALE = 0.8;

export interface Box {
  width: number;
  height: number;
}

export interface Fit {
  scale: number;
  /** How far the middle of the screen is below the middle of its room, in px. */
  shiftPx: number;
}

/**
 * Returns where to draw a screen in its room, both in px. `seenTo` is the part of its height that must be visible, 0 to 1 from its top; null
 * for the whole height. A screen that would be too small to read is cut off instead: at its blank end first, then at its top.
 */
export function fitScreen(screen: Box, room: Box, seenTo: number | null): Fit {
  const across = Math.min(1, room.width / screen.width);
  const down = room.height / screen.height;
  const scale = Math.min(across, seenTo === null ? down : Math.max(down, LEAST_SCALE));
  const hiddenPx = Math.max(0, screen.height * scale - room.height);
  const abovePx = Math.max(0, (seenTo ?? 1) * screen.height * scale - room.height);
  return { scale, shiftPx: hiddenPx / 2 - Math.min(abovePx, hiddenPx) };
}
