import type { ChatLine } from '../../contract/chat/chat.ts';
import { PtyChatSession } from './PtyChatSession.ts';

/**
 * Returns the lines to add to a chat.jsonl if no agent runs in its terminal any more: the end of a conversation without one, and the final
 * version of its open messages. Empty if all conversations have ended. A second call gives the same lines.
 */
export function unseenEnd(terminalId: string, lines: readonly ChatLine[]): ChatLine[] {
  const noId = (): string => {
    throw new Error('an end is no new message');
  };
  return PtyChatSession.restore(terminalId, lines, noId).endUnseen();
}
