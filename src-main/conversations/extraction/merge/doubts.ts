import type { ChatDoubt, ChatMessage } from '../../../contract/chat/chat.ts';
import type { ChatSnapshot, ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';
import { overlap, plainWords } from './plainWords.ts';

/** Word characters that two texts must share to prove that they are joined correctly. */
const PROVED_CHARS = 60;
/** A shorter text may be part of another one by chance. */
const PART_CHARS = 20;
/** Leading characters of a row with which it is searched in the message's text. */
const ROW_CHARS = 16;

/** Marks messages whose rows were joined without proof, and all messages of a picture with an unproved join. */
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

/** Whether a new message may be one of `log` that was drawn again. */
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
 * Whether a streaming message now reads as another message of `log`. In a picture with a seam, that other message may have been found in
 * its place, since both begin alike.
 */
export function isMistaken(log: readonly ChatMessage[], known: ChatMessage, seen: ExtractedMessage): boolean {
  if (known.final || seen.kind !== 'model' || plainWords(known.text) === plainWords(seen.text)) return false;
  return isRepetition(
    log.filter((other) => other !== known),
    seen,
  );
}

/** Whether a whole reading settles the doubt: it does if the doubt is about how the text was joined. */
export function isReplaceable({ reason }: ChatDoubt): boolean {
  return reason === 'joined' || reason === 'unfinished';
}

/** Whether the agent log raised the doubt. Another picture with the same text does not settle it. */
export function isOfLog({ reason }: ChatDoubt): boolean {
  return reason === 'contradicted' || reason === 'unlogged';
}

/** Whether the message was read from its first row to its last, and nothing was inferred. */
export function isWhole(seen: ExtractedMessage): boolean {
  return !seen.isHeadCut && !seen.hasGap && !seen.doubt;
}

/** Returns the doubt about `text`, which was merged from `known` and `seen`. */
export function doubtOf(known: ChatMessage, seen: ExtractedMessage, text: string): ChatDoubt | undefined {
  const { doubtful } = known;
  if (doubtful?.reason === 'repeated') return allOf(text, 'repeated');
  if (doubtful?.reason === 'unanswered') return doubtful;
  if (doubtful && isOfLog(doubtful) && text === known.text) return doubtful;
  if (doubtful?.reason === 'shortened' && text === known.text) return doubtful;
  if (isEndKnown(known, seen) && text === known.text) return undefined;
  if (plainWords(text) === plainWords(seen.text))
    return isWhole(seen) ? undefined : (seen.doubt ?? (seen.isHeadCut ? allOf(text, 'joined') : doubtful));
  if (text === known.text || (isWhole(seen) && !known.hasGap)) return doubtful;
  return doubtful ?? seen.doubt ?? (isJoinProved(known.text, seen.text) ? undefined : allOf(text, 'joined'));
}

/** Whether the end of `known` was seen before: then a doubtful join of rows below it does not concern it. */
function isEndKnown({ final, doubtful }: ChatMessage, { doubt, isStopped }: ExtractedMessage): boolean {
  return final && !doubtful && doubt?.reason === 'unfinished' && !isStopped;
}

/** Whether `seen` begins with the end of `known`, with enough words and in only one way. */
function isJoinProved(known: string, seen: string): boolean {
  const [head, tail] = [plainWords(known), plainWords(seen)];
  if (overlap(head, tail) < PROVED_CHARS) return false;
  const start = tail.slice(0, PROVED_CHARS);
  return head.indexOf(start) === head.lastIndexOf(start) && tail.indexOf(start, 1) < 0;
}
