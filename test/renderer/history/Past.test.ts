import { expect, test } from 'vitest';
import { Past } from '../../../src-renderer/history/Past.svelte.ts';
import type { PastRpc } from '../../../src-renderer/rpc/PastRpc.ts';

test('lists all machines, this one or another, and names those that did not answer on any page', async () => {
  const asked: object[] = [];
  const page = async (input: object) => {
    asked.push(input);
    const isFirst = !('cursor' in input);
    return { rows: [], next: isFirst ? 'more' : null, facets: null, silent: isFirst ? ['quay'] : ['pier', 'quay'] };
  };
  const past = new Past({ page } as unknown as PastRpc);
  past.load();
  await expect.poll(() => past.silent).toEqual(['quay']);
  past.more();
  await expect.poll(() => past.silent).toEqual(['quay', 'pier']);
  for (const machine of ['', 'quay01']) {
    past.machine = machine;
    past.load();
  }
  await expect.poll(() => past.isLoading).toBe(false);
  expect(asked).toEqual([
    { text: '' },
    { text: '', cursor: 'more' },
    { text: '', isHere: true },
    { text: '', machine: 'quay01' },
  ]);
});
