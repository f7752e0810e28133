import type { ChatMessage } from '../../../contract/chat/chat.ts';

/** Removes the status "running" from calls that an idle agent no longer shows: how they ended is unknown. */
export function stoppedCalls(log: readonly ChatMessage[], seen: ReadonlySet<string | undefined>): ChatMessage[] {
  return log.flatMap((message) => {
    if (message.tool?.status !== 'running' || seen.has(message.id)) return [];
    const { status: _, ...tool } = message.tool;
    return [{ ...message, tool }];
  });
}
