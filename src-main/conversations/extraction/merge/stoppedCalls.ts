import type { ChatMessage } from '../../../contract/chat/chat.ts';

/** Calls that were at work when they were last seen, and are not seen by an agent that rests: how they ended nothing told. */
export function stoppedCalls(log: readonly ChatMessage[], seen: ReadonlySet<string | undefined>): ChatMessage[] {
  return log.flatMap((message) => {
    if (message.tool?.status !== 'running' || seen.has(message.id)) return [];
    const { status: _, ...tool } = message.tool;
    return [{ ...message, tool }];
  });
}
