import { expect } from 'vitest';
import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import type { Bed } from './Bed.ts';
import { FORBIDDEN, REPAIR } from './brokenBuild.ts';
import type { McpAgent } from './McpAgent.ts';

/** Each call of the plan, what it was given, and how it ended: a refusal of ours is an answer, unless it comes before anything was asked. */
const CALLS = [
  ['pty_list', '', 'done'],
  ['blocks_since', 'limit', 'done'],
  ['blocks_read', 'grep', 'done'],
  ['pty_exec', REPAIR, 'done'],
  ['pty_exec', FORBIDDEN, 'done'],
  ['pty_exec', 'echo yes', 'failed'],
] as const;
/** The agent writes its log behind what it shows, and the log is read behind that, ms. */
const LOGGED_MS = 20_000;

/** The conversation has what was asked, every call with its name, its input and its end, and the answer; nothing twice. */
export async function checkChat(
  bed: Bed,
  agent: McpAgent,
  { terminalId, prompt }: { terminalId: string; prompt: string },
): Promise<void> {
  const expected = CALLS.map(([tool, , status], at) =>
    at === 0 && agent.folded !== undefined
      ? { name: agent.folded, status: undefined, hasInput: true } // six calls, of which one failed: neither is its end
      : { name: agent.recorded(tool), status, hasInput: true },
  );
  const recorded = async () => {
    const messages = await messagesOf(bed, terminalId);
    const calls = messages.filter(({ kind, tool }) => kind === 'toolCall' && tool?.name !== 'ToolSearch');
    return calls.map((message, at) => ({
      name: message.tool?.name,
      status: message.tool?.status,
      hasInput: inputOf(message).includes(CALLS[at]?.[1] ?? 'nothing'),
    }));
  };
  await expect.poll(recorded, { timeout: LOGGED_MS, interval: 250 }).toEqual(expected);
  const said = (await messagesOf(bed, terminalId)).filter(({ kind }) => kind === 'user' || kind === 'model');
  expect(said.map(({ kind, text }) => ({ kind, text }))).toEqual([
    { kind: 'user', text: prompt },
    { kind: 'model', text: 'A parenthesis was missing, and the build is whole again.' },
  ]);
}

async function messagesOf({ api }: Bed, terminalId: string): Promise<readonly ChatMessage[]> {
  const [conversation] = await api.chat.list.query({ terminalId });
  if (!conversation) return [];
  return (await api.chat.page.query({ terminalId, conversationId: conversation.id, limit: 200 })).messages;
}

/** On the screen, or in the agent's own log where the screen has no room for it. */
function inputOf({ tool, log }: ChatMessage): string {
  return `${tool?.input ?? ''}\n${log?.input ?? ''}`;
}
