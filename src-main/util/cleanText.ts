/** Titles, and the texts of notifications. */
export const MAX_TITLE_CHARS = 1024;

/** C0, DEL, C1, line and paragraph separators: none belongs in a single line of text. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
/** Marks, embeddings, overrides and isolates (UAX #9), which can make a text read as another one; tag characters hide text. */
const BIDI_AND_TAGS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** Cleans one line for display next to our text: at most `maxChars` UTF-16 units, never ending in half a character. */
export function cleanLine(text: string, maxChars = MAX_TITLE_CHARS): string {
  const clean = text
    .slice(0, maxChars * 4)
    .replace(CONTROL, '')
    .replace(BIDI_AND_TAGS, '')
    .slice(0, maxChars);
  return clean.isWellFormed() ? clean : clean.toWellFormed().replace(/\ufffd$/, '');
}
