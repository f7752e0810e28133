import { GAP_LINE } from '../../../contract/chat/chat.ts';
import { hasWords, plainWords } from './plainWords.ts';

/** Part of a text that a drawing must show to count as the same text without some lines. */
const THINNED_PART = 0.5;

/** Splits a text at its gaps. The first piece is '' if the beginning is missing. */
export function piecesOf(text: string): string[] {
  return text.split(GAP_LINE).map((piece) => piece.replace(/^\n+|\n+$/g, ''));
}

/** Whether `known` has all pieces of `seen`, in order. */
export function isAllIn(seen: string, known: string): boolean {
  return areIn(plainWords(known), piecesOf(seen));
}

/** Whether `less` is `more` without some lines: it has most of `more` and nothing else. */
export function isThinned(less: string, more: string): boolean {
  const words = plainWords(more);
  return isMuchOf(less, more) && piecesOf(less).every((piece) => isIn(piece, words));
}

/** Whether the pieces of `less` that `more` has, line by line in order, are most of `more`. */
export function isMuchOf(less: string, more: string): boolean {
  const words = plainWords(more);
  const within = [...new Set(piecesOf(less))].filter((piece) => isIn(piece, words));
  const shared = within.reduce((sum, piece) => sum + plainWords(piece).length, 0);
  return shared >= words.length * THINNED_PART;
}

/** Addresses after a link's text: some programs draw them at first and remove them later. */
const ADDRESS = /\(https?:[^()]*\)/g;

/** Counts the word characters of those lines of `text` that are in `words`, in order. Ignores addresses in brackets. */
export function sharedLines(text: string, words: string): number {
  const all = words.replace(ADDRESS, '');
  let [from, shared] = [0, 0];
  for (const line of text.split('\n').filter(hasWords)) {
    const own = plainWords(line).replace(ADDRESS, '');
    const at = all.indexOf(own, from);
    if (at < 0) continue;
    from = at + own.length;
    shared += own.length;
  }
  return shared;
}

/** Whether `words` has all lines of `piece`, in order. */
function isIn(piece: string, words: string): boolean {
  return areIn(words, piece.split('\n').filter(hasWords));
}

function areIn(words: string, texts: readonly string[]): boolean {
  let from = 0;
  return texts.every((text) => {
    const own = plainWords(text);
    const at = words.indexOf(own, from);
    from = at + own.length;
    return at >= 0;
  });
}
