import { GAP_LINE } from '../../../contract/chat/chat.ts';

/** Words sampled from a text to measure how much of it another text has. */
const SAMPLE_WORDS = 64;
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{N}]+/gu;

/** A text prepared for comparison. Made once, compared often. */
export interface ComparedText {
  /** The text without Markdown and white space, split at its gaps. */
  readonly parts: readonly string[];
  readonly words: ReadonlySet<string>;
  readonly sample: readonly string[];
}

export function comparedText(text: string): ComparedText {
  const parts = text.split(GAP_LINE).map(bareText);
  const all = [...text.replaceAll(GAP_LINE, ' ').matchAll(WORD)].map(([word]) => word.toLowerCase());
  const step = Math.max(1, Math.floor(all.length / SAMPLE_WORDS));
  return { parts, words: new Set(all), sample: all.filter((_, at) => at % step === 0) };
}

/** Whether both have the same words and signs in the same order, regardless of Markdown and white space. */
export function isSameText(a: ComparedText, b: ComparedText): boolean {
  return a.parts.length === 1 && b.parts.length === 1 && a.parts[0] === b.parts[0];
}

/** Whether `part` is `whole` with lines missing: all its parts are in `whole`, in order. */
export function isPartOf(part: ComparedText, whole: ComparedText): boolean {
  const text = whole.parts.join('');
  let from = 0;
  for (const piece of part.parts) {
    const at = text.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return true;
}

/** The part of the shorter text's words that the other text has, 0 to 1. */
export function likeness(a: ComparedText, b: ComparedText): number {
  const [short, long] = a.words.size <= b.words.size ? [a, b] : [b, a];
  if (short.sample.length === 0) return 0;
  return short.sample.filter((word) => long.words.has(word)).length / short.sample.length;
}

/**
 * Removes Markdown signs and all white space. Signs that may not be Markdown are removed too, from both sides, so a difference in these
 * alone is not seen.
 */
export function bareText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/^\s*(```|~~~).*$/gm, '')
    .replace(/^\s*\|?[\s:|-]*-{3,}[\s:|-]*$/gm, '') // below a table's head, or a rule
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/^\s*(#{1,6}\s|>+\s?|[-*+•◦▪]\s|\d{1,9}[.)]\s)+/gm, '') // Markdown continues the numbers of the list before
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replace(/[*_`|~]|\s/g, '');
}
