import { afterEach, expect, test } from 'vitest';
import type { SearchQuery } from '../../src-main/contract/search.ts';
import { ChatWriter } from '../support/chatRecords.ts';
import { runCommand, TestCore, until } from '../support/TestCore.ts';
import { aQuery, gather } from './find.ts';

/** Long limits for a busy machine. */
const POLL = { timeout: 20_000 };

let started: TestCore | null = null;
afterEach(async () => {
  await started?.dispose();
  started = null;
});

/** Searches until indexing has ended; the first search starts the worker and reports that it is still indexing. */
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

test('a command that runs is found by what it has printed so far, and goes on to be found when it has ended', async () => {
  started = await TestCore.start();
  const terminal = await started.open();
  const running = await terminal.submit('printf "%s\\n" half way; read -r; printf "%s\\n" all the way');
  expect(running.ok).toBe(true);
  await until(terminal, ({ view }) => view.runningBlockId !== null);
  const hit = { type: 'block', terminalId: terminal.id, status: 'running', lines: [{ n: 1, text: 'way' }] };
  const search = async (mode: 'words' | 'exact') => {
    const { hits, end } = await find(started as TestCore, aQuery('way', { mode, in: ['output'] }));
    return { hits, total: end.total };
  };
  await expect.poll(() => search('words'), POLL).toMatchObject({ hits: [hit], total: 1 });
  expect(await search('exact')).toMatchObject({ hits: [hit] });
  expect(await find(started, aQuery('all way', { in: ['output'] }))).toMatchObject({ hits: [], end: { total: 0 } });
  terminal.input.type('\r');
  await until(terminal, ({ view }) => view.runningBlockId === null);
  const ended = { ...hit, status: 'completed', lines: [{ n: 1 }, { n: 5 }] };
  await expect.poll(() => search('words'), POLL).toMatchObject({ hits: [ended], total: 1 });
});

test('a message that streams is found by its last word, without waiting until it is written', async () => {
  started = await TestCore.start();
  const terminal = await started.open();
  const said = new ChatWriter(terminal.id, 'c1');
  const begun = said.say('model', 'slowly '.repeat(200), { final: false });
  terminal.chat.write(said.lines);
  await find(started, aQuery('slowly'));
  for (const [word, mode] of [
    ['kelpie', 'words'],
    ['selkie', 'exact'],
  ] as const) {
    terminal.chat.write([{ ...begun, text: `${begun.text} ${word}` }]); // growth far below an eighth, so the file may not have it yet
    expect((await find(started, aQuery(word, { mode }))).hits).toMatchObject([{ type: 'message', id: begun.id }]);
  }
});

test('a hit names its terminal, also when that is in no tab any more', async () => {
  started = await TestCore.start();
  const terminal = await started.open();
  await runCommand(terminal, 'echo namesake');
  await started.core.terminal(terminal.id).describe({ name: 'the quay' });
  await started.core.close(terminal.id, true);
  await find(started, aQuery('namesake'));
  const events = [];
  for await (const event of started.core.search.find(aQuery('namesake'))) events.push(event);
  expect(events[0]).toMatchObject({ type: 'hits', titles: { [terminal.id]: 'the quay' } });
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
