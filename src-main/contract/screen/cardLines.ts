/** Up to this many lines a card shows everything, in a window of any height. */
const SHOW_ALL_LINES = 60;
/** No card shows more at once. A program's last screen is a picture and not cut; no screen that is worked on has more rows. */
export const MOST_WHOLE_LINES = 120;

/**
 * Whether a collapsed card hides lines of its output. `isScreen`: the text is the last screen of a full-screen program. `viewLines`: the
 * lines that fit into the view, 0 where nobody looks; output of one view is read faster than a head and a tail.
 */
export function isCutInCard(lines: number, isScreen: boolean, viewLines = 0): boolean {
  const whole = isScreen ? MOST_WHOLE_LINES : Math.max(SHOW_ALL_LINES, Math.min(viewLines, MOST_WHOLE_LINES));
  return lines > whole;
}
