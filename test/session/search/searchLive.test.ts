import { afterEach, expect, test } from 'vitest';
import type { SearchQuery } from '../../../src-main/contract/search.ts';
import { runCommand, TestCore } from '../../support/TestCore.ts';
import { aQuery, gather } from './find.ts';

let started: TestCore | null = null;
afterEach(async () => {
  await started?.dispose();
  started = null;
});

/** The first search finds the worker just started: it says that it has not seen everything yet. */
async function find(test: TestCore, query: SearchQuery): ReturnType<typeof gather> {
  const found = await gather(test.core.search.find(query));
  if (found.end.indexing === null) return found;
  await new Promise((resolve) => setTimeout(resolve, 50));
  return find(test, query);
}

test('a command is found by its text and by its output as soon as it has ended', async () => {
  started = await TestCore.start();
  const terminal = await started.open();
  await find(started, aQuery('warm up'));
  const block = await runCommand(terminal, 'printf "one\\ntwo fabulous lines\\n"; false');
  const { hits, end } = await find(started, aQuery('fabulous'));
  expect(hits).toMatchObject([
    {
      ...{ type: 'block', id: block.id, terminalId: terminal.id, exitCode: 1 },
      lines: [{ n: 1, text: 'two fabulous lines', column: 0, spans: [{ start: 4, end: 12 }] }],
    },
  ]);
  expect([end.by, end.total, end.indexing]).toEqual(['index', 1, null]);
  for (const mode of ['exact', 'regex'] as const)
    expect((await find(started, aQuery('abulou', { mode, in: ['output'] }))).hits.map(({ id }) => id)).toEqual([
      block.id,
    ]);
});

test('a line that was kept out of the record is found by nobody', async () => {
  started = await TestCore.start();
  const terminal = await started.open();
  await runCommand(terminal, 'HISTCONTROL=ignorespace');
  await runCommand(terminal, ' echo hushhush');
  for (const mode of ['words', 'exact'] as const)
    expect((await find(started, aQuery('hushhush', { mode }))).hits).toEqual([]);
});

test('a terminal that is removed from the record leaves the index', async () => {
  started = await TestCore.start();
  const terminal = await started.open();
  await runCommand(terminal, 'echo shortlived');
  expect((await find(started, aQuery('shortlived'))).hits).toHaveLength(1);
  await started.core.close(terminal.id, true);
  await started.core.housekeeping.tidy({ 'retention.days': 0, 'retention.bytes': 1 });
  await expect.poll(async () => (await find(started as TestCore, aQuery('shortlived'))).end.total).toBe(0);
});

test('an expression that takes too long ends with a sentence, and the core goes on', async () => {
  started = await TestCore.start();
  const terminal = await started.open();
  await runCommand(terminal, `echo ${'a'.repeat(40)}b`);
  const { end } = await find(started, aQuery('(a+)+$', { mode: 'regex' }));
  expect(end.error).toContain('takes too long');
  expect((await find(started, aQuery('[', { mode: 'regex' }))).end.error).toContain('Invalid regular expression');
  expect((await find(started, aQuery('echo'))).hits).toHaveLength(1);
});

test('a search that nobody reads any more ends', async () => {
  started = await TestCore.start();
  const stop = new AbortController();
  const events = started.core.search.find(aQuery('x', { mode: 'exact' }), stop.signal);
  stop.abort();
  expect((await events.next()).done).toBe(true);
});
