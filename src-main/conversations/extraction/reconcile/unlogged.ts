import type { ChatMessage } from '../../../contract/chat/chat.ts';
import { allOf } from '../merge/doubts.ts';
import type { Pair } from './align.ts';
import type { ReconcileOptions } from './reconcile.ts';
import type { ChatUnit } from './units.ts';

/**
 * Returns the prompts and answers that the screen has and the agent log lacks, marked: they may be parts of other messages, or drawn again. The log
 * lacks a message if it has a later one of the same conversation, or if the conversation has ended; until then it may only be late. Units before
 * index `from` were not all compared.
 */
export function unloggedMessages(
  chat: readonly ChatUnit[],
  { pairs, from }: { readonly pairs: readonly Pair[]; readonly from: number },
  { origin, isEnded, nowMs }: ReconcileOptions,
): ChatMessage[] {
  const end = isEnded ? chat.length : (pairs.at(-1)?.[0] ?? 0);
  if (origin !== 'log' || pairs.length === 0) return [];
  const paired = new Set(pairs.map(([at]) => at));
  return chat
    .slice(from, end)
    .filter(({ message }, at) => !paired.has(from + at) && isSure(message))
    .map(({ message }) => ({ ...message, doubtful: allOf(message.text, 'unlogged'), updatedMs: nowMs }));
}

/** Whether a message has no mark that it may be wrong. An undo removes messages from a log that had confirmed them. */
function isSure({ kind, final, verified, doubtful, hasGap, replayOf, origins }: ChatMessage): boolean {
  const isSaid = kind === 'user' || kind === 'model';
  return isSaid && final && !verified && !doubtful && !hasGap && replayOf === undefined && origins.includes('screen');
}
