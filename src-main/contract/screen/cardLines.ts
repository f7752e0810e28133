/** Up to this many lines a card shows everything: a rule that hides three lines costs more room than it saves. */
export const SHOW_ALL_LINES = 30;
/** A program's last screen is a picture and not cut; no screen that is worked on has more rows. */
export const WHOLE_SCREEN_LINES = 70;

/** Whether a collapsed card hides lines of its output. `isScreen`: the text is the last screen of a full-screen program. */
export function isCutInCard(lines: number, isScreen: boolean): boolean {
  return lines > (isScreen ? WHOLE_SCREEN_LINES : SHOW_ALL_LINES);
}
