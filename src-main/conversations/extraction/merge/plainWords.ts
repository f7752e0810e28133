import { remembered } from '../../../util/remembered.ts';

/** Spaces, and the marks of Markdown, lists, quotes and table boxes. */
const NO_WORD = /[\s*_`#|>~\-\u2022\u25e6\u2500-\u257f]/;
const NO_WORDS = new RegExp(NO_WORD, 'g');
const LINK = /\[([^\]]*)\]\([^)\s]*\)/g;

/** Number of remembered texts. A screen shows the same texts in each reading. */
const MOST_KNOWN = 256;

/** The word characters of `text`: equal however a text was wrapped, marked up or drawn. Never empty unless `text` is blank. */
export const plainWords = remembered(MOST_KNOWN, wordsOf);

function wordsOf(text: string): string {
  const plain = text.replace(LINK, '$1').replace(NO_WORDS, '');
  return plain === '' ? text.replace(/\s+/g, '') : plain;
}

/** Whether `text` has more than marks and spaces. */
export function hasWords(text: string): boolean {
  return text.replace(NO_WORDS, '') !== '';
}

/** The word characters of `text` and, for each, the index after it. */
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

/** Marks that Markdown puts on both sides of words. */
const PAIRED = /\*\*|~~|[*_`]/g;

/**
 * Returns `head` up to index `from`, then `tail` after index `to`; both indexes are ends of the same word. The two may mark up that line
 * differently: marks that only `head` opened are closed as in `head`, and the closing ones of marks that only `tail` opened are removed.
 */
export function spliced(head: string, from: number, tail: string, to: number): string {
  const [own = ''] = head.slice(from).split('\n', 1);
  const [more = ''] = tail.slice(to).split('\n', 1);
  const rest = tail.slice(to + more.length);
  if (!hasWords(more)) return head.slice(0, from) + (hasWords(own) ? more : own.trimEnd()) + rest;
  const [known, seen] = [openMarks(lineUpTo(head, from)), openMarks(lineUpTo(tail, to))];
  const closed = [...known].filter((mark) => !seen.has(mark) && own.includes(mark)).reverse();
  let left = more;
  for (const mark of seen) if (!known.has(mark)) left = left.replace(mark, '');
  return head.slice(0, from) + closed.join('') + left + rest;
}

function lineUpTo(text: string, to: number): string {
  return text.slice(text.lastIndexOf('\n', to - 1) + 1, to);
}

/** Marks that a line opens and does not close. */
function openMarks(line: string): ReadonlySet<string> {
  const open = new Set<string>();
  for (const [mark] of line.replace(/^\s*[*_-] /, '').matchAll(PAIRED)) if (!open.delete(mark)) open.add(mark);
  return open;
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

/** Length of the common beginning. */
export function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}
