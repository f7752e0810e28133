import { expect, test } from 'vitest';
import { PRESENCE } from '../../src-main/machines/listKinds.ts';
import type { MachineLink } from '../../src-main/machines/MachineLink.ts';
import type { Machines } from '../../src-main/machines/Machines.ts';
import { MERGED } from '../../src-main/machines/merge/mergedLists.ts';
import type { RemoteListener } from '../../src-main/machines/RemoteApi.ts';
import { RemoteList } from '../../src-main/machines/RemoteList.ts';

const presence = (terminalId: string) => ({ terminalId, lease: null, running: null, queue: [] });

test('agents in terminals of another machine are shown while no agent is in one of this machine', async () => {
  const list = new RemoteList(PRESENCE);
  let say: RemoteListener['onData'] = () => undefined;
  const subscribe: MachineLink['subscribe'] = (_path, _input, { onData }) => {
    say = onData;
    return { unsubscribe: () => undefined };
  };
  list.follow('abc123', { subscribe } as MachineLink);
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
