/** Left of the text of every card (the rail), and right of it. */
export const SIDES_PX = 42 + 22;
/** Head and lower margin of the card that holds the emulator; with them it fills the pane exactly. */
export const CARD_PX = 62;
/** Above the plain terminal, and below it. */
export const PLAIN_PX = 16;
