import { expect, test } from 'vitest';
import type { Approval } from '../../../src-main/contract/mcp/approval.ts';
import { Clients } from '../../../src-renderer/approvals/Clients.svelte.ts';
import { Terminals } from '../../../src-renderer/tabs/Terminals.svelte.ts';
import { fakeRpc, terminalView } from '../support/fakeRpc.ts';

const approval = (id: string, terminalId: string, askedMs = 0) => ({ id, terminalId, askedMs }) as Approval;

function setUp() {
  const { rpc } = fakeRpc({ 'block.page': () => ({ blocks: [], more: false }) });
  const clients = new Clients(rpc.clients);
  const terminals = new Terminals(
    rpc,
    { order: ['a', 'b', 'c'], active: 'a', folded: {}, chats: {}, projects: {}, projectOrder: [], panes: [] },
    () => false,
  );
  terminals.askedIn = (id) => clients.askedIn(id);
  terminals.apply({ type: 'all', terminals: ['a', 'b', 'c'].map((id) => terminalView({ id })) });
  return { clients, terminals };
}

test('a tab waits from the moment that a client asks in it until that is answered, and the key for the next one finds it', () => {
  const { clients, terminals } = setUp();
  expect(terminals.nextWaiting()).toBeUndefined();
  clients.apply({ type: 'asked', approval: approval('1', 'c', 5) });
  clients.apply({ type: 'asked', approval: approval('2', 'b', 6) });
  expect(terminals.list.map(({ status }) => status)).toEqual(['idle', 'waits', 'waits']);
  expect(terminals.nextWaiting()?.id).toBe('b');
  clients.apply({ type: 'gone', id: '2', outcome: 'approved' });
  expect(terminals.nextWaiting()?.id).toBe('c');
  clients.apply({ type: 'gone', id: '1', outcome: 'expired' });
  expect(terminals.nextWaiting()).toBeUndefined();
});

test('of several in one tab the oldest is told', () => {
  const { clients, terminals } = setUp();
  clients.apply({ type: 'asked', approval: approval('late', 'b', 9) });
  clients.apply({ type: 'asked', approval: approval('early', 'b', 3) });
  expect(terminals.byId('b')?.asked?.id).toBe('early');
});
