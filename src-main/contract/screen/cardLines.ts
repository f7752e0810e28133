/** Up to this many lines, a card shows everything in a window of any height. */
const SHOW_ALL_LINES = 60;
/** Most lines of any card. A program's last screen is never cut, and no real screen has more rows. */
export const MOST_WHOLE_LINES = 120;

/**
 * Whether a collapsed card hides lines of its output. `isScreen`: the text is the last screen of a full-screen program. `viewLines`:
 * lines that fit into the view, 0 without a view; output that fits is read faster than a head and a tail.
 */
export function isCutInCard(lines: number, isScreen: boolean, viewLines = 0): boolean {
  const whole = isScreen ? MOST_WHOLE_LINES : Math.max(SHOW_ALL_LINES, Math.min(viewLines, MOST_WHOLE_LINES));
  return lines > whole;
}
