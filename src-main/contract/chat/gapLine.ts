/** A line of its own in a message's text where lines were never drawn, or not seen. In its own file, so that a window needs no schemas for it. */
export const GAP_LINE = '… lines not drawn';
