import type { ChatLine, ChatMessage } from '../../contract/chat/chat.ts';
import { isThere } from '../../store/files/processIdentity.ts';
import type { PtyChatSession } from '../extraction/PtyChatSession.ts';

export interface RunEnd {
  /** Offset in output.raw after the agent's last byte. */
  readonly at: number;
  /** Whether the shell reported it. If not, the agent's process is missing, and the next program may have printed some bytes before `at`. */
  readonly isExact: boolean;
}

/** `pid`: null if the system reports no processes. */
export function isAlive(pid: number | null): boolean {
  return pid === null || isThere(pid);
}

/** Marks the texts that `read` finds after an end that is not exact, because the next program may have printed them. */
export function readAfterEnd(session: PtyChatSession, read: () => ChatLine[]): ChatLine[] {
  const before = new Map(session.messages.map((message) => [message.id, message]));
  return read().map((line) => {
    const old = 'kind' in line ? before.get(line.id) : undefined;
    if (!('kind' in line) || (old?.text === line.text && old.doubtful?.reason !== 'foreign')) return line;
    const own: ChatMessage = { ...line, doubtful: { reason: 'foreign', from: 0, to: line.text.length } };
    session.put(own);
    return own;
  });
}
