import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { soon } from '../support/soon.ts';
import { OneTerminal } from './OneTerminal.ts';

let one: OneTerminal;
beforeAll(async () => {
  one = await OneTerminal.open({ shell: '/bin/bash' });
});
afterAll(() => one.dispose());

/** Number, kind, status and output of the newest cards. */
async function newest(count: number): Promise<(string | number)[][]> {
  const { blocks } = await one.api.block.page.query({ terminalId: one.id, limit: count });
  return Promise.all(
    blocks.map(async ({ id: blockId, seq, kind, status }) => {
      const { text } = await one.api.block.text.query({ terminalId: one.id, blockId, what: 'output' });
      return [seq, kind, status, text];
    }),
  );
}

const type = (data: string) => one.api.terminal.write.mutate({ id: one.id, data });

test('a card of a job stays the same when the next core comes, and grows', async () => {
  await one.submit('(sleep 1; echo first; sleep 8; echo second) &');
  await soon(async () => (await newest(1))[0]?.slice(0, 3)).toEqual([2, 'background', 'running']);
  await one.renew('core');
  await soon(() => newest(1)).toEqual([[2, 'background', 'running', 'first\n']]);
  await soon(async () => (await newest(1))[0]?.[3]).toBe('first\nsecond\n');
  await one.submit('echo after');
  await soon(() => newest(2)).toEqual([
    [2, 'background', 'completed', 'first\nsecond\n'],
    [3, 'command', 'completed', 'after\n'],
  ]);
});

test('a card of a job that keys have ended is kept when the next core comes before the command', async () => {
  await one.submit('(sleep 1; echo third) &');
  await soon(async () => (await newest(1))[0]?.slice(0, 3)).toEqual([5, 'background', 'running']);
  await type('echo ha');
  await soon(async () => (await newest(1))[0]?.[2]).toBe('completed');
  await one.renew('core');
  await type('lf\r');
  await soon(() => newest(2)).toEqual([
    [5, 'background', 'completed', 'third\n'],
    [6, 'command', 'completed', 'half\n'],
  ]);
});

test('what a job prints while there is no core has a card, and what was typed just before has not', async () => {
  await one.submit('(sleep 3; echo fourth) &');
  await soon(async () => (await one.view())?.atPrompt).toBe(true);
  await one.renew('core', () => sleep(5000));
  await soon(() => newest(1)).toEqual([[8, 'background', 'running', 'fourth\n']]);
  await one.submit('echo fifth');
  await soon(async () => (await newest(1))[0]?.slice(0, 3)).toEqual([9, 'command', 'completed']);
  await type('echo typed\r');
  await one.renew('core');
  await soon(() => newest(2)).toEqual([
    [9, 'command', 'completed', 'fifth\n'],
    [10, 'command', 'completed', 'typed\n'],
  ]);
});

test('a line that was begun before the next core came is discarded by a command of the composer', async () => {
  await soon(async () => (await one.view())?.atPrompt).toBe(true);
  await type('echo begun and ');
  await soon(async () => (await one.app.run('screen', one.id)).stdout).toContain('echo begun and');
  await one.renew('core');
  await one.submit('echo whole');
  await soon(async () => (await newest(1))[0]?.slice(1)).toEqual(['command', 'completed', 'whole\n']);
});

test('what was typed ahead of a prompt that comes after the next core is discarded by a command of the composer', async () => {
  await one.submit('sleep 5');
  await soon(async () => (await one.view())?.runningBlockId != null).toBe(true);
  await type('echo ahead and ');
  await one.renew('core');
  await soon(async () => (await one.app.run('screen', one.id)).stdout).toMatch(/[$#] echo ahead and/);
  await one.submit('echo whole');
  await soon(async () => (await newest(1))[0]?.slice(1)).toEqual(['command', 'completed', 'whole\n']);
});

test('a line that was begun before the next core came is discarded after its prompt was drawn again', async () => {
  await soon(async () => (await one.view())?.atPrompt).toBe(true);
  await type('echo begun and ');
  await soon(async () => (await one.app.run('screen', one.id)).stdout).toContain('echo begun and');
  await one.renew('core');
  const raw = new SessionFolder(one.app.home, one.id).raw;
  const { size } = await stat(raw);
  await one.api.terminal.resize.mutate({ id: one.id, cols: 100, rows: 30 });
  await soon(async () => (await stat(raw)).size).toBeGreaterThan(size);
  await soon(async () => (await one.view())?.atPrompt).toBe(true);
  await one.submit('echo whole');
  await soon(async () => (await newest(1))[0]?.slice(1)).toEqual(['command', 'completed', 'whole\n']);
});

test('a key that comes while the next core catches up ends the card of a job behind all of its output', async () => {
  await one.submit('(sleep 2; yes of the job | head -c 22000000) &');
  const bytes = async () => (await one.api.block.page.query({ terminalId: one.id, limit: 1 })).blocks[0]?.outputBytes;
  await soon(bytes).toBe(24_000_000);
  await one.renew('core');
  await type('echo typed\r');
  await soon(async () => (await newest(1))[0]?.slice(1)).toEqual(['command', 'completed', 'typed\n']);
  const { blocks } = await one.api.block.page.query({ terminalId: one.id, limit: 2 });
  expect(blocks[0]).toMatchObject({ kind: 'background', status: 'completed', outputBytes: 24_000_000 });
});
