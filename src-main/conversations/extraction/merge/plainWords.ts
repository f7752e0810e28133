import { remembered } from '../../../util/remembered.ts';

/** Spaces, and marks that Markdown, a list, a quote or a table's box puts around words. */
const NO_WORD = /[\s*_`#|>~\-\u2022\u25e6\u2500-\u257f]/;
const NO_WORDS = new RegExp(NO_WORD, 'g');
const LINK = /\[([^\]]*)\]\([^)\s]*\)/g;

/** A screen shows the same texts again at each look. */
const MOST_KNOWN = 256;

/** What `text` says however it was wrapped, marked up or drawn: what is equal then is the same. Never empty unless `text` is blank. */
export const plainWords = remembered(MOST_KNOWN, wordsOf);

function wordsOf(text: string): string {
  const plain = text.replace(LINK, '$1').replace(NO_WORDS, '');
  return plain === '' ? text.replace(/\s+/g, '') : plain;
}

/** Whether there is more in `text` than marks and spaces. */
export function hasWords(text: string): boolean {
  return text.replace(NO_WORDS, '') !== '';
}

/** The characters of `text` that count as words and, for each, the index behind it. */
export function wordEnds(text: string): { words: string; ends: number[] } {
  const ends: number[] = [];
  let words = '';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at] ?? '';
    if (NO_WORD.test(unit)) continue;
    words += unit;
    ends.push(at + 1);
  }
  return { words, ends };
}

/** Length of the longest end of `head` with which `tail` begins. */
export function overlap(head: string, tail: string): number {
  const text = `${tail}\u0000${head.slice(-tail.length)}`;
  const borders = new Int32Array(text.length);
  for (let at = 1; at < text.length; at += 1) {
    let border = borders[at - 1] ?? 0;
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0;
    borders[at] = text[at] === text[border] ? border + 1 : 0;
  }
  return borders[text.length - 1] ?? 0;
}

/** How many characters both begin with. */
export function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}
