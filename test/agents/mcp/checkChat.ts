import { expect } from 'vitest';
import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import type { Bed } from './Bed.ts';
import { FORBIDDEN, REPAIR } from './brokenBuild.ts';
import type { McpAgent } from './McpAgent.ts';

/** Each call of the plan, a part of its input, and its status. A denied approval is an answer (`done`); a refusal without an approval is `failed`. */
const CALLS = [
  ['pty_list', '', 'done'],
  ['blocks_since', 'limit', 'done'],
  ['blocks_read', 'grep', 'done'],
  ['pty_exec', REPAIR, 'done'],
  ['pty_exec', FORBIDDEN, 'done'],
  ['pty_exec', 'echo yes', 'failed'],
] as const;
/** Limit for the agent to write its log after the screen, and for Hansard to read it, ms. */
const LOGGED_MS = 20_000;

/** Expects the prompt, every call with its name, input and status, and the answer in the conversation, without duplicates. */
export async function checkChat(
  bed: Bed,
  agent: McpAgent,
  { terminalId, prompt }: { terminalId: string; prompt: string },
): Promise<void> {
  const expected = CALLS.map(([tool, , status], at) =>
    at === 0 && agent.folded !== undefined
      ? { name: agent.folded, status: undefined, hasInput: true } // one line for six calls, of which one failed, so its status is undefined
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

/** A call's input from the screen and from the agent's log, because the screen may not have room for it. */
function inputOf({ tool, log }: ChatMessage): string {
  return `${tool?.input ?? ''}\n${log?.input ?? ''}`;
}
