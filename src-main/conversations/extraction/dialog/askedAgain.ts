import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { Extraction } from '../../../contract/chat/extractor.ts';
import { plainWords } from '../merge/plainWords.ts';

/** An agent that erases its rows and redraws them has finished after this time, ms, even on a busy machine. */
const REDRAWN_MS = 500;

/** Kinds of messages that follow an answered question. */
const FOLLOWS: readonly ChatMessage['kind'][] = ['user', 'model', 'toolCall', 'toolResult', 'command'];

type Said = Pick<ChatMessage, 'kind' | 'text'>;

/**
 * The last question of `log`, reopened, if the agent only erased it and drew it again: it was gone for a moment, no key answered it, and the
 * conversation has nothing new. Null for another question with the same words, for example the next one of an agent whose rules answer it.
 */
export function askedAgain(log: readonly ChatMessage[], { messages }: Extraction, atMs: number): ChatMessage | null {
  const last = log.findLast(({ kind }) => kind === 'permission');
  const seen = messages.findLast(({ kind, isOpen }) => kind === 'permission' && isOpen);
  const { verdict, ...question } = last?.question ?? { options: [] };
  if (!last?.final || !seen || !verdict || verdict.by !== null || atMs - last.updatedMs > REDRAWN_MS) return null;
  const isSame = plainWords(last.text) === plainWords(seen.text) && isEqual(question.options, seen.question?.options);
  return isSame && !hasMore(log, last, messages) ? { ...last, question, final: false } : null;
}

/** Whether the log has messages after `question`, or the screen shows messages that the log lacks. */
function hasMore(log: readonly ChatMessage[], question: ChatMessage, messages: readonly Said[]): boolean {
  const isTalk = ({ kind }: Said) => FOLLOWS.includes(kind);
  if (log.slice(log.indexOf(question) + 1).some(isTalk)) return true;
  return messages.some((seen) => isTalk(seen) && count(messages, seen) > count(log, seen));
}

/** Counts the messages of `among` that contain this text, of which the screen may show only a part. */
function count(among: readonly Said[], { kind, text }: Said): number {
  const words = plainWords(text);
  return among.filter((own) => own.kind === kind && plainWords(own.text).includes(words)).length;
}

function isEqual(options: readonly string[], others: readonly string[] = []): boolean {
  return options.length === others.length && options.every((label, at) => label === others[at]);
}
