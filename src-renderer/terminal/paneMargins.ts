/** Left of the text of every card (the rail), and right of it. */
export const SIDES_PX = 42 + 22;
/** Head and lower margin of the card that holds the emulator; with them it fills the pane exactly. */
export const CARD_PX = 62;
/** Above the plain terminal, and below it. */
export const PLAIN_PX = 16;
/** The composer while a program that draws the screen has the keys: one line of text, and around it. ComposerBox.svelte draws it so high. */
const KEYS_LINE_PX = { text: 17, around: 18 };

interface RowsRoom {
  /** The terminal is shown in a card, or under its head. */
  hasCard: boolean;
  hasComposer: boolean;
  /** `window.textScale`, in percent. */
  textScale: number;
}

/**
 * How many px the rows of a terminal have in a view of `viewPx`, its heads left out. A program that begins must not change the size that
 * it begins with: `less` 590 loses the next key after a SIGWINCH that comes while it draws its first screen. So the composer counts as
 * the one line that it is beside a program that draws the screen; while it is larger, it covers some of the room.
 */
export function rowsRoomPx(viewPx: number, { hasCard, hasComposer, textScale }: RowsRoom): number {
  const keysLinePx = hasComposer ? KEYS_LINE_PX.around + (KEYS_LINE_PX.text * textScale) / 100 : 0;
  return viewPx - keysLinePx - (hasCard ? CARD_PX : PLAIN_PX);
}
