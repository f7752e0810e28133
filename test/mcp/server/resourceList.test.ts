import { expect, test } from 'vitest';
import type { Conversation } from '../../../src-main/contract/chat/chat.ts';
import { McpRecord } from '../../../src-main/mcp/read/McpRecord.ts';
import { ResourceService } from '../../../src-main/mcp/resources/ResourceService.ts';

const chat = (
  id: string,
  cwd: string | null,
): Pick<Conversation, 'id' | 'terminalId' | 'cwd' | 'agent' | 'updatedMs'> => ({
  ...{ id, cwd, terminalId: 't1-aa', agent: 'claude', updatedMs: 1 },
});
const CHATS = [chat('open', '/srv/open'), chat('secret', '/srv/secret'), chat('unplaced', null)];

test('the list of resources has no conversation that was held in a private folder, also when its terminal has left the folder', async () => {
  const view = { isHidden: false, cwd: '/srv/open', name: null };
  const record = new McpRecord({
    dataFolder: '/nowhere',
    open: () => [{ id: 't1-aa', view }] as never,
    isPrivate: (_, look) => look().cwd === '/srv/secret',
  });
  const chats = {
    listPage: async ({ isWanted = () => true }: { isWanted?: (one: Conversation) => boolean }) => ({
      conversations: (CHATS as Conversation[]).filter(isWanted),
      next: null,
    }),
  };
  const served = {
    desk: { record, chats, gate: { has: () => true } },
    clients: { audit: { hasRead: () => undefined } },
  };
  const service = new ResourceService(served as never, { updated: () => undefined });
  const listed = await service.list({ name: 'c' } as never);
  const named = listed.map(({ uri }) => uri).filter((uri) => uri.startsWith('term://chat/'));
  expect(named).toEqual(['term://chat/t1-aa.open', 'term://chat/t1-aa.unplaced']);
});
