import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage } from '../../../contract/chat/extractor.ts';
import { commonStart, plainWords } from './plainWords.ts';

/** Kinds of messages that do not answer a prompt. */
const ASIDES: readonly ChatMessage['kind'][] = ['notice', 'welcome', 'exit'];

/** Returns the prompt that ends the conversation `messages`; null if another message ends it or the prompt is doubtful. */
export function unansweredIn(messages: readonly ChatMessage[]): ChatMessage | null {
  const last = messages.at(-1);
  return last?.kind === 'user' && !last.doubtful ? last : null;
}

/** Marks the prompt: its answer was not seen. */
export function unanswered(prompt: ChatMessage): ChatMessage {
  const at = prompt.text.length;
  return { ...prompt, final: true, doubtful: { reason: 'unanswered', from: at, to: at } };
}

/** Returns the prompt that `message` answers, without its mark as unanswered; null if it is not marked. */
export function answeredBy(messages: readonly ChatMessage[], message: ChatMessage): ChatMessage | null {
  if (message.kind === 'user' || ASIDES.includes(message.kind)) return null;
  const before = messages.findLast(({ order, kind }) => order < message.order && !ASIDES.includes(kind));
  if (before?.conversationId !== message.conversationId || before.doubtful?.reason !== 'unanswered') return null;
  const { doubtful: _, ...prompt } = before;
  return prompt;
}

/** Characters of a half-drawn prompt that must equal the sent one; the previous text may follow them. */
export const TORN_CHARS = 4;

/** Whether the screen shows only the beginning of a sent prompt; the text after it may be part of the previous text in that place. */
export function isPartOf(sent: readonly string[], { text, isUnsent }: ExtractedMessage): boolean {
  const own = plainWords(text);
  const wholes = sent.map(plainWords).filter((whole) => whole !== '' && whole !== own);
  return wholes.some((whole) => whole.startsWith(own) || (isUnsent && commonStart(whole, own) >= TORN_CHARS));
}

/**
 * Marks prompts that are neither in `log` nor among the `typed` texts: a screen that was resized or assembled shows some prompts without
 * a piece. A prompt that equals a typed text is complete, whichever rows it was read from.
 */
export function withUnsent(
  seen: readonly ExtractedMessage[],
  log: readonly ChatMessage[],
  typed: readonly string[],
): readonly ExtractedMessage[] {
  const typedWords = new Set(typed.map(plainWords));
  const known = new Set(log.flatMap(({ kind, text }) => (kind === 'user' ? [plainWords(text)] : [])));
  return seen.map((own) => {
    if (own.kind !== 'user') return own;
    const words = plainWords(own.text);
    const { doubt, ...whole } = own;
    if (typedWords.has(words)) return doubt && !own.isHeadCut ? whole : own;
    return known.has(words) ? own : { ...own, isUnsent: true };
  });
}
