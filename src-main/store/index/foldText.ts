/** A word of a text, in the form in which the index holds it. Columns are UTF-16, of the text it stands in. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Scripts that put no spaces between words, so that each character is a word and a substring is a phrase. */
const SPACELESS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** Emoji, arrows, check marks, icons of private fonts; not what boxes, bars and spinners are drawn with. ASCII has none. */
const SIGNS = String.raw`[[\p{So}\p{Sm}\p{Co}\p{Regional_Indicator}]--[\u0000-\u007f\u2500-\u259f\u2800-\u28ff]]`;
const SINGLE = `[${SPACELESS}${SIGNS}]`;
/** A Hangul syllable in parts, as macOS names files. */
const JAMO = String.raw`[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?`;
const WORD = String.raw`[[\p{L}\p{N}\p{M}]--${SINGLE}]+`;

const ANY_TOKEN = new RegExp(String.raw`(${JAMO}|${SINGLE}\p{M}*)|${WORD}`, 'gv');
const ASCII_TOKEN = /[0-9A-Za-z]+/g;
const NOT_ASCII = /[^\x00-\x7f]/;
/** What stands between two ASCII separators and is not all ASCII. */
const FOREIGN_RUN = /[0-9A-Za-z]*[\u0080-\u{10ffff}][0-9A-Za-z\u0080-\u{10ffff}]*/gu;

/** The words of a text, in order. Case, accents and widths are folded away. */
export function tokensOf(text: string): Token[] {
  const isAscii = !NOT_ASCII.test(text);
  const tokens: Token[] = [];
  for (const match of text.matchAll(isAscii ? ASCII_TOKEN : ANY_TOKEN)) {
    const [found, single] = match;
    const folded = single === undefined ? foldWord(found) : foldSingle(single);
    if (folded !== '') tokens.push({ start: match.index, end: match.index + found.length, text: folded });
  }
  return tokens;
}

/** True for a token that is a whole word by itself: no word begins with it. */
export function isSingle(token: string): boolean {
  return new RegExp(`^${SINGLE}`, 'v').test(token);
}

/**
 * `text` with the same words as `tokensOf` finds, for FTS5's `ascii` tokenizer: that one takes ASCII letters and digits and everything
 * beyond ASCII for words, and folds ASCII only. Most output is ASCII and goes through as it is.
 */
export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text.replace(
    FOREIGN_RUN,
    (run) =>
      ` ${tokensOf(run)
        .map((token) => token.text)
        .join(' ')} `,
  );
}

function foldWord(word: string): string {
  if (!NOT_ASCII.test(word)) return word.toLowerCase();
  return word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('ς', 'σ');
}

function foldSingle(single: string): string {
  const composed = single.normalize('NFKC').replace(/[\ufe00-\ufe0f\s]/g, '');
  // Width and compatibility forms may become ASCII (a squared letter): a word like any other then
  return NOT_ASCII.test(composed)
    ? composed.replace(/[\u0000-\u007f]/g, '')
    : composed.toLowerCase().replace(/[^0-9a-z]/g, '');
}
