import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';
import { isReplaceable, isWhole, unfinished } from './doubts.ts';
import { commonStart, hasWords, plainWords } from './plainWords.ts';

/** Programs print this below an answer that was stopped or is requested again. */
const CUT = /^(?:\w+ )?(?:was )?(?:interrupted|cancel?led|aborted)\b|\bretrying request\b/i;

/** Word characters by which an answer is recognized, or by which it must shrink to count as dropped. */
export const TAKEN_CHARS = 60;
/** Word characters at their ends in which two drawings of one answer must agree. */
const END_CHARS = 12;

/** Marks answers that the program reports as cut short directly below them. */
export function withCutShort(extraction: Extraction): Extraction {
  const { messages } = extraction;
  const isCut = ({ kind }: ExtractedMessage, at: number) => {
    const next = messages.slice(at + 1).find((other) => other.kind !== 'permission');
    return kind === 'model' && next?.kind === 'notice' && CUT.test(next.text);
  };
  if (!messages.some(isCut)) return extraction;
  return {
    ...extraction,
    messages: messages.map((own, at) =>
      isCut(own, at) ? { ...own, doubt: own.doubt ?? unfinished(own.text), isStopped: true } : own,
    ),
  };
}

/*
 * An agent whose answer is cut off by the next prompt may draw the next answer into the old one, below the new prompt, until it draws its
 * screen again (Codex 0.169).
 */

/** The words of the answer that the last prompt of `log` cut off; '' if there is no such answer, or if it is too short. */
function cutWords(log: readonly ChatMessage[]): string {
  const asked = log.findLastIndex(({ kind }) => kind === 'user');
  const before = log.slice(0, Math.max(0, asked)).findLast(({ kind }) => kind === 'model');
  // Its end was not seen. A message whose rows were joined without proof keeps that mark when it is closed.
  const isEndless = before !== undefined && (!before.final || (before.doubtful && isReplaceable(before.doubtful)));
  const words = isEndless ? plainWords(before.text) : '';
  return words.length >= TAKEN_CHARS ? words : '';
}

/**
 * Whether a streaming message says nothing yet: it has no words, or it is the beginning of an answer that was cut off before the last
 * prompt, perhaps with the line just received below it, or begins with that answer. Until the screen is redrawn, the two cannot be
 * distinguished.
 */
export function isUntold(log: readonly ChatMessage[], { kind, isOpen, text }: ExtractedMessage): boolean {
  if (kind !== 'model' || !isOpen) return false;
  if (!hasWords(text)) return true;
  const [cut, own] = [cutWords(log), plainWords(text)];
  const same = commonStart(cut, own);
  const more = own.length - same;
  return cut !== '' && (same === cut.length || more === 0 || (same >= TAKEN_CHARS && more < TAKEN_CHARS));
}

/** Whether a growing message has a later prompt, or one of the new messages `above` it in the picture is one. */
export function isOvertaken(
  log: readonly ChatMessage[],
  at: number,
  { kind, isOpen }: ExtractedMessage,
  above: readonly ExtractedMessage[],
): boolean {
  if (kind !== 'model' || !isOpen) return false;
  return [...log.slice(at + 1), ...above].some((message) => message.kind === 'user');
}

/** Whether an answer begins with the one that was cut off before it: it may be drawn into that one. */
export function isDrawnInto(
  log: readonly ChatMessage[],
  { kind, text }: Pick<ExtractedMessage, 'kind' | 'text'>,
): boolean {
  const cut = kind === 'model' ? cutWords(log) : '';
  return cut !== '' && plainWords(text).startsWith(cut);
}

/** Whether `seen` is message `at` of the log, which was drawn into the answer that was cut off before it, drawn alone. */
export function isRidOfCut(log: readonly ChatMessage[], at: number, seen: ExtractedMessage): boolean {
  const [before, known] = [log.slice(0, at), log[at]];
  if (known?.kind !== 'model' || known.doubtful?.reason !== 'joined' || seen.kind !== 'model' || !isWhole(seen))
    return false;
  const [a, b] = [plainWords(known.text), plainWords(seen.text)];
  return isDrawnInto(before, known) && !isDrawnInto(before, seen) && a.slice(-END_CHARS) === b.slice(-END_CHARS);
}
