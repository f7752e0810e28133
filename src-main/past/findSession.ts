import { setImmediate } from 'node:timers/promises';
import type { ChatLine, Conversation } from '../contract/chat/chat.ts';
import { PastFile } from '../store/past/PastFile.ts';
import type { Where } from './findSources.ts';
import { importPast } from './importPast.ts';
import { byPrompts } from './matchRecorded.ts';
import { promptsOf } from './recordedTalks.ts';

/** File times are coarse, so a log may seem to be older than it is. */
const EARLIER_MS = 10_000;

/**
 * Finds the session id of a conversation whose end no terminal saw. It compares the prompts and their times with the logs that the agent has written
 * since the conversation began; null if no log matches. It only reads, and stores nothing.
 */
export async function findSession(
  { conversation, lines }: { conversation: Conversation; lines: readonly ChatLine[] },
  where: Where,
): Promise<string | null> {
  const { agent, cwd, startedMs: fromMs, updatedMs: toMs, id, terminalId } = conversation;
  const file = PastFile.scratch();
  try {
    const wish = { ...where, only: [agent], keepsText: true, sinceMs: fromMs - EARLIER_MS };
    for (const _piece of importPast(file, wish)) await setImmediate();
    const prompts = JSON.stringify(promptsOf(lines, id));
    const num = byPrompts(file, { terminalId, conversationId: id, agent, session: null, cwd, fromMs, toMs, prompts });
    if (num === null) return null;
    return file.get<{ session: string }>('SELECT session FROM conversations WHERE num = ?', num)?.session ?? null;
  } finally {
    file.close();
  }
}
