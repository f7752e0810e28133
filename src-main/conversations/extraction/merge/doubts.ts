import type { ChatDoubt, ChatMessage } from '../../../contract/chat/chat.ts';
import type { ChatSnapshot, ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';
import { overlap, plainWords } from './plainWords.ts';

/** Characters of words that two texts must share where they are put together, so that it is no chance. */
const PROVED_CHARS = 60;
/** A shorter text may stand in another one by chance. */
const PART_CHARS = 20;
/** Characters of a row by which it is found in the text made of it. */
const ROW_CHARS = 16;

/** Marks the messages whose rows were put together without proof, and all of a picture that has such a place. */
export function withDoubts(extraction: Extraction, { seams = [], rows }: ChatSnapshot): Extraction {
  if (seams.length === 0) return extraction;
  const messages = extraction.messages.map((own, place) => {
    const seam = seams.find((at) => at < own.toRow && (at > own.fromRow || (at === own.fromRow && own.isHeadCut)));
    const next = extraction.messages[place + 1]?.fromRow ?? 0;
    const isCutOff = seam === undefined && seams.some((at) => at >= own.toRow && at <= next);
    return {
      ...own,
      ...(seam !== undefined && { doubt: joinedAt(own.text, rows[seam]?.text ?? '') }),
      ...(isCutOff && { doubt: unfinished(own.text) }),
      isInSeamed: true,
    };
  });
  return { ...extraction, messages };
}

function joinedAt(text: string, row: string): ChatDoubt {
  const at = text.indexOf(row.trim().slice(0, ROW_CHARS));
  const isFound = at >= 0 && row.trim() !== '';
  return isFound ? { reason: 'joined', from: Math.max(0, at - 1), to: at + row.trim().length } : allOf(text, 'joined');
}

export function allOf(text: string, reason: ChatDoubt['reason']): ChatDoubt {
  return { reason, from: 0, to: text.length };
}

/** The end of a message was not seen. */
export function unfinished(text: string): ChatDoubt {
  return { reason: 'unfinished', from: text.length, to: text.length };
}

/** A message that is new may be one of `log` that was drawn once more. */
export function isRepetition(log: readonly ChatMessage[], { kind, text, isInSeamed }: ExtractedMessage): boolean {
  if (!isInSeamed || (kind !== 'user' && kind !== 'model')) return false;
  const own = plainWords(text);
  return log.some((known) => {
    const words = known.kind === kind ? plainWords(known.text) : '';
    const [short, long] = own.length < words.length ? [own, words] : [words, own];
    return short !== '' && (short === long || (short.length >= PART_CHARS && long.includes(short)));
  });
}

/**
 * What still streams reads as another message of `log` now: in a picture with a seam it may be that one that was found here, since both
 * begin alike.
 */
export function isMistaken(log: readonly ChatMessage[], known: ChatMessage, seen: ExtractedMessage): boolean {
  if (known.final || seen.kind !== 'model' || plainWords(known.text) === plainWords(seen.text)) return false;
  return isRepetition(
    log.filter((other) => other !== known),
    seen,
  );
}

/** What a whole reading settles: how the text was put together, and not what it is made of. */
export function isReplaceable({ reason }: ChatDoubt): boolean {
  return reason === 'joined' || reason === 'unfinished';
}

/** It was read from its first row to its last, and nothing about that is inferred. */
export function isWhole(seen: ExtractedMessage): boolean {
  return !seen.isHeadCut && !seen.hasGap && !seen.doubt;
}

/** What is in doubt of the text that came of `known` and `seen`. */
export function doubtOf(known: ChatMessage, seen: ExtractedMessage, text: string): ChatDoubt | undefined {
  const { doubtful } = known;
  if (doubtful?.reason === 'repeated') return allOf(text, 'repeated');
  if (doubtful?.reason === 'unanswered') return doubtful;
  if (doubtful?.reason === 'shortened' && text === known.text) return doubtful;
  if (isEndKnown(known, seen) && text === known.text) return undefined;
  if (plainWords(text) === plainWords(seen.text))
    return isWhole(seen) ? undefined : (seen.doubt ?? (seen.isHeadCut ? allOf(text, 'joined') : doubtful));
  if (text === known.text || (isWhole(seen) && !known.hasGap)) return doubtful;
  return doubtful ?? seen.doubt ?? (isJoinProved(known.text, seen.text) ? undefined : allOf(text, 'joined'));
}

/** The end of `known` was seen before, so a doubtful join of rows below it does not concern it. */
function isEndKnown({ final, doubtful }: ChatMessage, { doubt, isStopped }: ExtractedMessage): boolean {
  return final && !doubtful && doubt?.reason === 'unfinished' && !isStopped;
}

/** The end of `known` is the beginning of `seen`, by enough words, and in one way only. */
function isJoinProved(known: string, seen: string): boolean {
  const [head, tail] = [plainWords(known), plainWords(seen)];
  if (overlap(head, tail) < PROVED_CHARS) return false;
  const start = tail.slice(0, PROVED_CHARS);
  return head.indexOf(start) === head.lastIndexOf(start) && tail.indexOf(start, 1) < 0;
}
