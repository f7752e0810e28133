import type { ChatMessage } from '../../../contract/chat/chat.ts';
import { GAP_LINE } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage } from '../../../contract/chat/extractor.ts';
import { join } from './joinText.ts';
import { isAllIn, isMuchOf, isThinned, piecesOf, sharedLines } from './pieces.ts';
import { commonStart, overlap, plainWords } from './plainWords.ts';

/** How sure it is that two are the same message: equal; one is part of the other; they share most of it. 0: they are not. */
export const EQUAL = 3;
const PART = 2;
export const SIMILAR = 1.5;

/** Characters of words that must be shared where one text is only the end or the beginning of the other. */
const MIN_SHARED = 12;
/** Part of the longer text that two must share, from both ends, to be one text drawn in two ways. */
const SIMILAR_PART = 0.6;

const wordsOf = new WeakMap<object, string>();

/** How sure it is that `seen` is `known`, by what they say alone. */
export function likeness(known: ChatMessage, seen: ExtractedMessage): number {
  if (known.kind !== seen.kind) return 0;
  if (seen.kind === 'permission' && seen.isOpen && known.final) return 0; // that dialog was answered; this is another
  const a = words(known);
  const b = words(seen);
  if (a === b) return EQUAL;
  if (isSameDialog(known, seen)) return PART;
  if (seen.kind === 'user' || seen.kind === 'command') return isSamePrompt(known, seen, a, b) ? PART : 0;
  if (seen.hasGap) return likenessOfPieces(known, seen, a, b);
  if (known.hasGap) {
    if (piecesOf(known.text).some((piece) => isRelated(piece, seen.text, b))) return PART;
    return isMuchOf(known.text, seen.text) || isMostlyIn(known.text, b) ? SIMILAR : 0;
  }
  if (seen.isHeadCut) return isEnd(a, b) || shareEdge(a, b) || goesOn(known, seen, a, b) ? PART : 0;
  if (a.startsWith(b) || b.startsWith(a)) return known.final ? SIMILAR : PART;
  if (isSimilar(a, b)) return SIMILAR;
  return seen.kind === 'model' && isHoled(known, seen, a, b) ? SIMILAR : 0;
}

/** Lines amid one of the two were not drawn, or some of both otherwise. That they begin alike is looked at first: it costs less. */
function isHoled(known: ChatMessage, seen: ExtractedMessage, a: string, b: string): boolean {
  if (a.slice(0, MIN_SHARED) !== b.slice(0, MIN_SHARED)) return false;
  if (sharedLines(known.text, b) >= Math.max(a.length, b.length) * SIMILAR_PART) return true;
  return a.length < b.length ? isThinned(known.text, seen.text) : isThinned(seen.text, known.text);
}

/** Line by line: between them, and at their ends, a torn drawing had less. */
function isMostlyIn(text: string, words: string): boolean {
  const own = piecesOf(text).reduce((sum, piece) => sum + plainWords(piece).length, 0);
  return own >= MIN_SHARED && sharedLines(piecesOf(text).join('\n'), words) >= own * SIMILAR_PART;
}

/** Of an answer amid which something is not drawn yet, or not again: what is drawn tells, and where it begins. */
function likenessOfPieces(known: ChatMessage, seen: ExtractedMessage, a: string, b: string): number {
  if (isAllIn(seen.text, known.text) || b.startsWith(a)) return known.final ? SIMILAR : PART;
  const own = piecesOf(seen.text);
  const isOneIn = (piece: string) => own.some((other) => isRelated(piece, other, plainWords(other)));
  if (seen.isHeadCut || known.hasGap) return piecesOf(known.text).some(isOneIn) ? PART : 0;
  const first = plainWords(own[0] ?? '');
  return !known.final && (a.startsWith(first) || first.startsWith(a)) ? PART : 0;
}

/** While a dialog is drawn, and as its window grows, it shows more and more: all that it showed before is there. */
function isSameDialog(known: ChatMessage, seen: ExtractedMessage): boolean {
  if (seen.kind !== 'permission' || !seen.isOpen || known.final) return false;
  const [less, more] = known.text.length < seen.text.length ? [known, seen] : [seen, known];
  const all = words(more);
  return less.text.split('\n').every((line) => line.trim() === '…' || all.includes(plainWords(line)));
}

function words(message: ChatMessage | ExtractedMessage): string {
  let own = wordsOf.get(message);
  if (own === undefined) {
    const { text, tool } = message;
    own = plainWords(tool ? `${tool.name} ${tool.input ?? text}` : text);
    wordsOf.set(message, own);
  }
  return own;
}

/** Prompts are often alike, and said whole: only where the beginning of one was not seen it is enough that they end alike. */
function isSamePrompt(known: ChatMessage, seen: ExtractedMessage, a: string, b: string): boolean {
  if (!known.hasGap && seen.isUnsent && isTornPrompt(a, b)) return true;
  if (!known.hasGap) return seen.isHeadCut && isEnd(a, b);
  const end = plainWords(known.text.split(GAP_LINE).at(-1) ?? '');
  return b.endsWith(end) || (seen.isHeadCut && end.endsWith(b));
}

/** `b` is `a` of which a piece was not drawn, amid it or at its end. */
function isTornPrompt(a: string, b: string): boolean {
  if (b.length < MIN_SHARED || b.length > a.length) return false;
  const start = commonStart(a, b);
  return start >= MIN_SHARED && (start === b.length || a.endsWith(b.slice(start)));
}

function isEnd(whole: string, end: string): boolean {
  return whole.endsWith(end) || (end.length >= MIN_SHARED && whole.includes(end));
}

/** `b` goes on where `a` ends, and both have what is between. */
function shareEdge(a: string, b: string): boolean {
  return a.includes(b.slice(0, MIN_SHARED)) && overlap(a, b) >= MIN_SHARED;
}

/** Line by line, where single lines went by unseen. */
function goesOn(known: ChatMessage, seen: ExtractedMessage, a: string, b: string): boolean {
  return a.includes(b.slice(0, MIN_SHARED)) && join(known.text, seen.text) !== null;
}

function isRelated(text: string, seenText: string, seen: string): boolean {
  const piece = plainWords(text);
  if (piece.length < MIN_SHARED || seen.length < MIN_SHARED) return piece === seen;
  if (piece.includes(seen) || seen.includes(piece) || shareEdge(piece, seen) || shareEdge(seen, piece)) return true;
  return seen.includes(piece.slice(0, MIN_SHARED)) && join(seenText, text) !== null;
}

function isSimilar(a: string, b: string): boolean {
  const longer = Math.max(a.length, b.length);
  if (Math.min(a.length, b.length) < MIN_SHARED) return false;
  const start = commonStart(a, b);
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  if (start >= MIN_SHARED && start + end >= Math.min(a.length, b.length)) return true; // a piece amid it was not drawn yet
  return start + end >= longer * SIMILAR_PART;
}
