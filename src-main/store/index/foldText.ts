/** A word in the form in which the index stores it. `start` and `end` are UTF-16 offsets in the original text. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Scripts without spaces between words: each character is a word, and a substring is a phrase. */
const SPACELESS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** Emoji, arrows, check marks and icons of private fonts, but not the characters of boxes, bars and spinners. ASCII has none. */
const SIGNS = String.raw`[[\p{So}\p{Sm}\p{Co}\p{Regional_Indicator}]--[\u0000-\u007f\u2500-\u259f\u2800-\u28ff]]`;
const SINGLE = `[${SPACELESS}${SIGNS}]`;
/** A Hangul syllable decomposed into parts, as in file names of macOS. */
const JAMO = String.raw`[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?`;
const WORD = String.raw`[[\p{L}\p{N}\p{M}]--${SINGLE}]+`;

const ANY_TOKEN = new RegExp(String.raw`(${JAMO}|${SINGLE}\p{M}*)|${WORD}`, 'gv');
const ASCII_TOKEN = /[0-9A-Za-z]+/g;
const NOT_ASCII = /[^\x00-\x7f]/;
/** A run between two ASCII separators that is not all ASCII. */
const FOREIGN_RUN = /[0-9A-Za-z]*[\u0080-\u{10ffff}][0-9A-Za-z\u0080-\u{10ffff}]*/gu;

/** Splits a text into its words, in order. Removes differences of case, accents and width. */
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

/** True for a token that is always a whole word: no longer word begins with it. */
export function isSingle(token: string): boolean {
  return new RegExp(`^${SINGLE}`, 'v').test(token);
}

/**
 * Rewrites `text` for FTS5's `ascii` tokenizer, so that it finds the same words as `tokensOf`. That tokenizer treats ASCII letters and digits
 * and all characters beyond ASCII as parts of words, and folds only ASCII. Most output is ASCII and stays unchanged.
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
  // Width and compatibility forms may become ASCII (a squared letter), which is then an ordinary word
  return NOT_ASCII.test(composed)
    ? composed.replace(/[\u0000-\u007f]/g, '')
    : composed.toLowerCase().replace(/[^0-9a-z]/g, '');
}
