import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage } from '../../../contract/chat/extractor.ts';
import { commonStart, plainWords } from './plainWords.ts';

/** What is said of a prompt, and is no answer to it. */
const ASIDES: readonly ChatMessage['kind'][] = ['notice', 'welcome', 'exit'];

/** The prompt that ends the conversation `messages`, when nothing was said since; null where something was. */
export function unansweredIn(messages: readonly ChatMessage[]): ChatMessage | null {
  const last = messages.at(-1);
  return last?.kind === 'user' && !last.doubtful ? last : null;
}

/** The prompt with a mark that its answer was not seen. */
export function unanswered(prompt: ChatMessage): ChatMessage {
  const at = prompt.text.length;
  return { ...prompt, final: true, doubtful: { reason: 'unanswered', from: at, to: at } };
}

/** The prompt before `message`, which answers it, without that mark; null where it has none. */
export function answeredBy(messages: readonly ChatMessage[], message: ChatMessage): ChatMessage | null {
  if (message.kind === 'user' || ASIDES.includes(message.kind)) return null;
  const before = messages.findLast(({ order, kind }) => order < message.order && !ASIDES.includes(kind));
  if (before?.conversationId !== message.conversationId || before.doubtful?.reason !== 'unanswered') return null;
  const { doubtful: _, ...prompt } = before;
  return prompt;
}

/** Characters of a prompt that are drawn over what stood there before. */
export const TORN_CHARS = 4;

/** Of a prompt that was sent only the beginning is shown; what stands behind it may be of the text it is drawn over. */
export function isPartOf(sent: readonly string[], { text, isUnsent }: ExtractedMessage): boolean {
  const own = plainWords(text);
  const wholes = sent.map(plainWords).filter((whole) => whole !== '' && whole !== own);
  return wholes.some((whole) => whole.startsWith(own) || (isUnsent && commonStart(whole, own) >= TORN_CHARS));
}

/**
 * Marks the prompts that are neither in `log` nor among what was `typed`: a screen that was resized, or put together, draws some without a
 * piece. A prompt that equals the typed text is complete, whatever rows it was read from.
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
