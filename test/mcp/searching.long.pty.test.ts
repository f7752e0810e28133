import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { call, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const served = new ServedMcp();
let mcp: Awaited<ReturnType<ServedMcp['start']>>['mcp'];
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let id: string;
let block_id: string;

beforeAll(async () => {
  const started = await served.start({ cols: 80, rows: 24 });
  ({ mcp, link, id } = started);
  const run = (cmd: string) => runIn(started.link.api, id, cmd);
  await run('seq 1 30; echo "Wolpertinger in a box"; echo; seq 1000 1005');
  ({ block_id } = (await call(mcp.client, 'blocks_since', { limit: 1 })).blocks[0]);
  await run('for n in 1 2 3; do echo "a wolpertinger, $n"; done');
  await run('true wolpertinger');
  // until the index has it
  await vi.waitFor(async () => expect((await search({ query: 'wolpertinger' })).matches).toHaveLength(5), 15_000);
}, 60_000);
afterAll(() => served.dispose());

function writePolicy(more: object): void {
  const policy = { version: 1, clients: { '*': { scopes: ['observe'] } }, ...more };
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
}

const search = (args: Record<string, unknown>) => call(mcp.client, 'blocks_search', args);
const cmd = 'seq 1 30; echo "Wolpertinger in a box"; echo; seq 1000 1005';

test.each([
  ['words', {}],
  ['an expression', { query: 'Wolp.* box', regex: true }],
  ['text in one block', { block: true }],
])('a match of %s has its place and the lines around it', async (_, { block, ...more }: Record<string, unknown>) => {
  const args = { query: 'Wolpertinger in', scope: 'output', context: 2, ...(block === true && { block_id }), ...more };
  const { matches, ...told } = await search(args);
  expect(matches).toEqual([expect.objectContaining({ block_id, line: 30, col: 0, cmd, ts: expect.any(Number) })]);
  expect(matches[0]).toMatchObject({ text: 'Wolpertinger in a box', before: ['29', '30'], after: ['', '1000'] });
  expect(told).toMatchObject({ truncated: false, scanned_blocks: expect.any(Number) });
  expect(told.scanned_blocks).toBeGreaterThanOrEqual(1);
  expect(told.scanned_bytes).toBeGreaterThan(80);
});

test.each([0, 1, 5])('context %i is as many lines, and those of one match may be another', async (context) => {
  const { matches } = await search({ block_id, query: '^100\\d$', regex: true, context });
  const lines = [...Array.from({ length: 30 }, (_, n) => String(n + 1)), 'Wolpertinger in a box', ''];
  const all = [...lines, ...['1000', '1001', '1002', '1003', '1004', '1005']];
  for (const { line, text, before = [], after = [] } of matches) {
    expect(text).toBe(all[line]);
    expect(before).toEqual(all.slice(line - context, line));
    expect(after).toEqual(all.slice(line + 1, line + 1 + context));
  }
  expect(matches).toHaveLength(6);
});

test('a block of which not every match is told says so', async () => {
  const { matches } = await search({ pty_id: id, query: 'a wolpertinger,', scope: 'output', limit: 2 });
  expect(matches).toMatchObject([{ has_more: true }, { has_more: true }]);
  expect(
    (await search({ block_id: matches[0].block_id, query: 'a wolpertinger,', scope: 'output' })).matches,
  ).toHaveLength(3);
});

test('flags are those of the expression, in one block and in all', async () => {
  for (const where of [{ block_id }, { pty_id: id }]) {
    const of = async (flags?: string) =>
      (await search({ query: '^wolp.*BOX$', regex: true, scope: 'output', ...where, ...(flags && { flags }) })).matches;
    expect(await of()).toEqual([]);
    expect(await of('i')).toHaveLength(1);
  }
  expect(await refusal(mcp.client, 'blocks_search', { query: 'box', flags: 'i' })).toMatchObject({
    code: 'BAD_INPUT',
    suggestion: expect.stringContaining('regex'),
  });
});

test.each([
  ['cmd', ['cmd']],
  ['output', ['output']],
  ['both', ['cmd', 'output']],
])('scope %s in one block', async (scope, places) => {
  const { matches } = await search({ block_id, query: 'Wolpertinger', scope });
  expect(matches.map((match: { in?: string }) => match.in ?? 'output')).toEqual(places);
  expect(matches[0]).toMatchObject({ col: scope === 'output' ? 0 : cmd.indexOf('Wolp') });
});

test('since and until leave out a block that ran before or after', async () => {
  const [{ ts }] = (await search({ block_id, query: 'Wolpertinger' })).matches;
  expect((await search({ block_id, query: 'Wolpertinger', since: ts + 1 })).matches).toEqual([]);
  expect((await search({ block_id, query: 'Wolpertinger', until: ts - 1 })).matches).toEqual([]);
  expect((await search({ block_id, query: 'Wolpertinger', since: ts, until: ts })).matches).toHaveLength(2);
});

test.each([
  ['one block', () => ({ block_id, query: '\\d', regex: true, context: 0 }), 30 + 6, { scope: 'output' }],
  ['all, by words', () => ({ pty_id: id, query: 'wolpertinger', context: 0 }), 3, {}],
  ['all, by reading', () => ({ pty_id: id, query: '[Ww]olpertinger', regex: true, context: 0 }), 3, {}],
])('page by page nothing is twice: %s', async (_, args, count, more) => {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await search({ ...args(), ...more, limit: 3, ...(cursor && { cursor }) });
    expect(page.matches.length).toBeLessThanOrEqual(3);
    seen.push(...page.matches.map((match: Record<string, unknown>) => `${match.block_id} ${match.line}`));
    expect(page.truncated).toBe(page.resume_cursor !== undefined);
    if (!page.truncated) break;
    cursor = page.resume_cursor;
  }
  expect(new Set(seen).size).toBe(seen.length);
  const isInOne = 'block_id' in args();
  expect((isInOne ? seen : [...new Set(seen.map((one) => one.split(' ')[0]))]).length).toBe(count);
});

test('what is private has no part in a search: neither what it costs nor what was counted tells of it', async () => {
  const { id: own } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  await runIn(link.api, own, `true unicorn; printf 'unicorn-%s %s\\n' alpha ${'a'.repeat(40)}`);
  const costly = (guess: string) => ({ query: `unicorn-${guess} (a+)+!`, regex: true, scope: 'output' });
  expect((await refusal(mcp.client, 'blocks_search', costly('alpha'))).code).toBe('REGEX_TIMEOUT');
  const told = async (args: object) => {
    const { ts: _, ...rest } = await search({ ...args });
    return rest;
  };
  writePolicy({ ptys: { private: [`id:${own}`] } });
  expect(await told(costly('alpha'))).toEqual(await told(costly('omega')));
  const before = await told({ query: 'n[o]where', regex: true });
  await runIn(link.api, own, 'echo unicorn again');
  expect(await told({ query: 'n[o]where', regex: true })).toEqual(before);
  expect(await refusal(mcp.client, 'blocks_search', { pty_id: own, query: 'unicorn' })).toMatchObject({
    code: 'PTY_NOT_FOUND',
  });
  writePolicy({});
  const seenAgain = { pty_id: own, query: 'unicorn', scope: 'cmd' };
  await expect.poll(async () => (await search(seenAgain)).matches.length).toBe(2); // the index is slightly behind
});

test('what is private leaves no trace, not even a page without matches', async () => {
  writePolicy({ ptys: { private: [`id:${id}`] } });
  for (const args of [
    { query: 'wolpertinger', limit: 1 },
    { query: 'wolp', regex: true, limit: 1 },
  ])
    await expect
      .poll(async () => {
        const { matches, truncated } = await search(args);
        return { matches, truncated };
      })
      .toEqual({ matches: [], truncated: false });
});
