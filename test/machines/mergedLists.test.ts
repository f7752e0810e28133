import { expect, test } from 'vitest';
import type { AgentPresence } from '../../src-main/contract/mcp/approval.ts';
import { PRESENCE } from '../../src-main/machines/listKinds.ts';
import type { MachineLink } from '../../src-main/machines/MachineLink.ts';
import type { Machines } from '../../src-main/machines/Machines.ts';
import { MERGED } from '../../src-main/machines/merge/mergedLists.ts';
import type { RemoteListener } from '../../src-main/machines/RemoteApi.ts';
import { RemoteList } from '../../src-main/machines/RemoteList.ts';

const presence = (terminalId: string) => ({ terminalId, lease: null, running: null, queue: [] });

/** A list that follows a connected machine, and `say` to send values from that machine. */
function connected(): { list: RemoteList<AgentPresence>; connect: () => void; say: RemoteListener['onData'] } {
  const list = new RemoteList(PRESENCE);
  let listener: RemoteListener['onData'] = () => undefined;
  const subscribe: MachineLink['subscribe'] = (_path, _input, { onData }) => {
    listener = onData;
    return { unsubscribe: () => undefined };
  };
  const connect = (): void => list.follow('abc123', { subscribe } as MachineLink);
  connect();
  return { list, connect, say: (value) => listener(value) };
}

test('agents in terminals of another machine are shown while no agent is in one of this machine', async () => {
  const { list, say } = connected();
  say(presence('t1'));
  const stop = new AbortController();
  const never = new Promise<never>(() => undefined);
  const merged = MERGED['approval.presence']?.({
    machines: { lists: { presence: list } } as Machines,
    input: undefined,
    signal: stop.signal,
    own: { [Symbol.asyncIterator]: () => ({ next: () => never }) },
  });
  const shown = merged?.[Symbol.asyncIterator]();
  expect((await shown?.next())?.value).toMatchObject({ terminalId: 'on-abc123-t1' });
  say(presence('t2'));
  expect((await shown?.next())?.value).toMatchObject({ terminalId: 'on-abc123-t2' });
  stop.abort();
});

test('an agent that left while the connection was cut is not shown after it', () => {
  const { list, connect, say } = connected();
  say({ ...presence('t1'), running: 'b1' });
  const changes: unknown[] = [];
  list.onChange((change) => changes.push(change));
  connect();
  const none = presence('on-abc123-t1');
  expect(list.all).toEqual([none]);
  expect(changes).toEqual([{ type: 'put', item: none, isNew: false }]);
});
