import { expect, test } from 'vitest';
import type { AgentRow } from '../../../src-main/contract/agents.ts';
import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { Agents } from '../../../src-renderer/agents/Agents.svelte.ts';
import { openAgain } from '../../../src-renderer/agents/start/startActions.ts';
import type { AppState } from '../../../src-renderer/app/AppState.svelte.ts';
import { aMessage } from '../conversation/aMessage.ts';
import { fakeRpc } from '../support/fakeRpc.ts';

const row = { terminalId: 't', conversationId: 'c', agent: 'claude', cwd: '/quay' } as unknown as AgentRow;

/** Opens the form for a conversation with these messages, of which the core sends the last ones first. */
async function promptOf(all: readonly ChatMessage[]): Promise<string> {
  const page = ({ beforeOrder = Number.POSITIVE_INFINITY, limit }: { beforeOrder?: number; limit: number }) => {
    const before = all.filter(({ order }) => order < beforeOrder);
    return { messages: before.slice(-limit), events: [], more: before.length > limit };
  };
  const { rpc } = fakeRpc({ 'chat.page': page });
  const agents = new Agents(rpc.agent);
  await openAgain({ agents, machines: {}, rpc } as unknown as AppState, row);
  return agents.starting.prompt;
}

test('another agent gets the first prompt, however long the conversation is', async () => {
  const said = Array.from({ length: 1_201 }, (_, order) =>
    aMessage(order, order % 3 === 0 ? 'user' : 'model', `message ${order}`),
  );
  expect(await promptOf(said)).toBe('message 0');
});

test('another agent gets the prompt of the agent’s own log where the screen had no room for it', async () => {
  expect(await promptOf([aMessage(0, 'user', 'Fix…', { log: { text: 'Fix the test' } })])).toBe('Fix the test');
});

test('the form is empty if nothing was asked', async () => {
  expect(await promptOf([aMessage(0, 'welcome', 'Hello')])).toBe('');
});
