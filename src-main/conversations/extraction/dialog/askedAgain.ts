import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { Extraction } from '../../../contract/chat/extractor.ts';
import { plainWords } from '../merge/plainWords.ts';

/** An agent that erases its rows before it draws them again has drawn them by then, also on a busy machine. */
const REDRAWN_MS = 500;

/**
 * The last question of `log` as an open one, if it left the screen without any key that answers it and is back at once: the agent has drawn its
 * rows again, in pieces. Null where it is another question, with the same words or not.
 */
export function askedAgain(log: readonly ChatMessage[], { messages }: Extraction, atMs: number): ChatMessage | null {
  const last = log.findLast(({ kind }) => kind === 'permission');
  const seen = messages.findLast(({ kind, isOpen }) => kind === 'permission' && isOpen);
  const { verdict, ...question } = last?.question ?? { options: [] };
  if (!last?.final || !seen || !verdict || verdict.by !== null || atMs - last.updatedMs > REDRAWN_MS) return null;
  const isSame = plainWords(last.text) === plainWords(seen.text) && isEqual(question.options, seen.question?.options);
  return isSame ? { ...last, question, final: false } : null;
}

function isEqual(options: readonly string[], others: readonly string[] = []): boolean {
  return options.length === others.length && options.every((label, at) => label === others[at]);
}
