import { GAP_LINE } from '../../../contract/chat/chat.ts';
import { hasWords, plainWords } from './plainWords.ts';

/** Part of a text that must be drawn before it is taken for the same text with lines that are not. */
const THINNED_PART = 0.5;

/** Pieces between which lines are missing; the first is '' where the beginning is. */
export function piecesOf(text: string): string[] {
  return text.split(GAP_LINE).map((piece) => piece.replace(/^\n+|\n+$/g, ''));
}

/** Whether `known` has all that `seen`, of which something is missing, shows, in order. */
export function isAllIn(seen: string, known: string): boolean {
  return areIn(plainWords(known), piecesOf(seen));
}

/** Whether `less` is `more`, and lines amid it are not drawn: most of it is there, and nothing else. */
export function isThinned(less: string, more: string): boolean {
  const words = plainWords(more);
  return isMuchOf(less, more) && piecesOf(less).every((piece) => isIn(piece, words));
}

/** Whether pieces of `less`, line by line in order, are most of `more`. */
export function isMuchOf(less: string, more: string): boolean {
  const words = plainWords(more);
  const within = [...new Set(piecesOf(less))].filter((piece) => isIn(piece, words));
  const shared = within.reduce((sum, piece) => sum + plainWords(piece).length, 0);
  return shared >= words.length * THINNED_PART;
}

/** Addresses behind what they belong to: some draw them at first, and take them away. */
const ADDRESS = /\(https?:[^()]*\)/g;

/** Characters of the words of `text` whose lines are in `words`, in order. Addresses in brackets are not looked at. */
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

/** Line by line, in order. */
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
