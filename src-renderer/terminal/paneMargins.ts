/** Width left of the text of every card (the rail), and right of it. */
export const SIDES_PX = 42 + 22;
/** Head and lower margin of the card that holds the emulator; with them it fills the pane exactly. */
export const CARD_PX = 62;
/** Height above and below the plain terminal. */
export const PLAIN_PX = 16;
/** Height of the composer while a full-screen program has the keys: one line of text, and the space around it. Must match ComposerBox.svelte. */
const KEYS_LINE_PX = { text: 17, around: 18 };

interface RowsRoom {
  /** The terminal is shown in a card, or under its head. */
  hasCard: boolean;
  hasComposer: boolean;
  /** `window.textScale`, in percent. */
  textScale: number;
}

/**
 * Height for the rows of a terminal in a view of `viewPx` without its heads. The size must not change when a program starts: `less` 590 loses the
 * next key after a SIGWINCH during its first screen. So the composer counts as the one line that it has beside a full-screen program; a larger
 * composer covers some rows.
 */
export function rowsRoomPx(viewPx: number, { hasCard, hasComposer, textScale }: RowsRoom): number {
  const keysLinePx = hasComposer ? KEYS_LINE_PX.around + (KEYS_LINE_PX.text * textScale) / 100 : 0;
  return viewPx - keysLinePx - (hasCard ? CARD_PX : PLAIN_PX);
}
