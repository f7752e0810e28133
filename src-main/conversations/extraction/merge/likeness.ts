import type { ChatMessage } from '../../../contract/chat/chat.ts';
import { GAP_LINE } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage } from '../../../contract/chat/extractor.ts';
import { join } from './joinText.ts';
import { isAllIn, isMuchOf, isThinned, piecesOf, sharedLines } from './pieces.ts';
import { commonStart, overlap, plainWords } from './plainWords.ts';

/** Certainty that two messages are the same: equal; one is part of the other; they share most of their text. 0: they are not. */
export const EQUAL = 3;
const PART = 2;
export const SIMILAR = 1.5;

/** Word characters that two texts must share if one is only the end or the beginning of the other. */
const MIN_SHARED = 12;
/** Part of the longer text that two must share, counted from both ends, to be one text drawn in two ways. */
const SIMILAR_PART = 0.6;

const wordsOf = new WeakMap<object, string>();

/** Certainty that `seen` is `known`, judged by their texts alone. */
export function likeness(known: ChatMessage, seen: ExtractedMessage): number {
  if (known.kind !== seen.kind) return 0;
  if (seen.kind === 'permission' && seen.isOpen && known.final) return 0; // the known dialog was answered; this is another one
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

/** Whether one of the two lacks lines, or some lines of both differ. Compares the beginnings first, because this is cheaper. */
function isHoled(known: ChatMessage, seen: ExtractedMessage, a: string, b: string): boolean {
  if (a.slice(0, MIN_SHARED) !== b.slice(0, MIN_SHARED)) return false;
  if (sharedLines(known.text, b) >= Math.max(a.length, b.length) * SIMILAR_PART) return true;
  return a.length < b.length ? isThinned(known.text, seen.text) : isThinned(seen.text, known.text);
}

/** Whether `words` has most lines of `text`. Compares line by line: a torn drawing lacks lines, and the ends of lines. */
function isMostlyIn(text: string, words: string): boolean {
  const own = piecesOf(text).reduce((sum, piece) => sum + plainWords(piece).length, 0);
  return own >= MIN_SHARED && sharedLines(piecesOf(text).join('\n'), words) >= own * SIMILAR_PART;
}

/** Likeness of a message of which the program has not drawn, or not redrawn, a middle part: compares its pieces and its beginning. */
function likenessOfPieces(known: ChatMessage, seen: ExtractedMessage, a: string, b: string): number {
  if (isAllIn(seen.text, known.text) || b.startsWith(a)) return known.final ? SIMILAR : PART;
  const own = piecesOf(seen.text);
  const isOneIn = (piece: string) => own.some((other) => isRelated(piece, other, plainWords(other)));
  if (seen.isHeadCut || known.hasGap) return piecesOf(known.text).some(isOneIn) ? PART : 0;
  const first = plainWords(own[0] ?? '');
  return !known.final && (a.startsWith(first) || first.startsWith(a)) ? PART : 0;
}

/** Whether both are one dialog. While it is drawn, and as its window grows, it shows more lines and keeps all earlier ones. */
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

/** Prompts are often similar, but drawn whole. Equal ends are enough only where the beginning of one was not seen. */
function isSamePrompt(known: ChatMessage, seen: ExtractedMessage, a: string, b: string): boolean {
  if (!known.hasGap && seen.isUnsent && isTornPrompt(a, b)) return true;
  if (!known.hasGap) return seen.isHeadCut && isEnd(a, b);
  const end = plainWords(known.text.split(GAP_LINE).at(-1) ?? '');
  return b.endsWith(end) || (seen.isHeadCut && end.endsWith(b));
}

/** Whether `b` is `a` without a piece in its middle or at its end. */
function isTornPrompt(a: string, b: string): boolean {
  if (b.length < MIN_SHARED || b.length > a.length) return false;
  const start = commonStart(a, b);
  return start >= MIN_SHARED && (start === b.length || a.endsWith(b.slice(start)));
}

function isEnd(whole: string, end: string): boolean {
  return whole.endsWith(end) || (end.length >= MIN_SHARED && whole.includes(end));
}

/** Whether `b` begins with the end of `a`. */
function shareEdge(a: string, b: string): boolean {
  return a.includes(b.slice(0, MIN_SHARED)) && overlap(a, b) >= MIN_SHARED;
}

/** Whether `seen` continues `known`, even if single lines were not seen. */
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
  if (start >= MIN_SHARED && start + end >= Math.min(a.length, b.length)) return true; // a piece in its middle is not drawn yet
  return start + end >= longer * SIMILAR_PART;
}
