import type { ChatLine } from '../../contract/chat/chat.ts';
import { PtyChatSession } from './PtyChatSession.ts';

/**
 * What is to be added to the lines of a chat.jsonl when no agent runs in its terminal any more: the end of a conversation that has none,
 * and the last version of what was still being said. Nothing where all have ended; asked twice it is the same.
 */
export function unseenEnd(terminalId: string, lines: readonly ChatLine[]): ChatLine[] {
  const noId = (): string => {
    throw new Error('an end is no new message');
  };
  return PtyChatSession.restore(terminalId, lines, noId).endUnseen();
}
