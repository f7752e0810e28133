import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTo } from '../support/coreClient.ts';
import { ServedApp } from '../support/WebApp.ts';
import { type Connected, call, connectClient, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';

/** Limits of mcp.md: concurrent waits of one process, and of all. */
const OWN_WAITS = 4;
const ALL_WAITS = 32;

const app = new ServedApp();
let link: ReturnType<typeof connectTo>;
let id = '';
const clients: Connected[] = [];

function allow(waits_concurrent: number): void {
  const limits = { reads_per_min: 100_000, waits_concurrent };
  const policy = { version: 1, clients: { '*': { scopes: ['observe'] } }, limits };
  writeFileSync(join(app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
}

beforeAll(async () => {
  await app.start();
  allow(OWN_WAITS);
  link = connectTo(app.home);
  ({ id } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 }));
  await runIn(link.api, id, 'true');
}, 60_000);

afterAll(async () => {
  for (const one of clients) await one.close();
  link?.dispose();
  await app.dispose();
});

async function client(name: string): Promise<Connected> {
  const made = await connectClient(app.home, { name });
  clients.push(made);
  return made;
}

const waitFor = ({ client }: Connected, search: string) =>
  client.callTool({ name: 'pty_snapshot_wait', arguments: { pty_id: id, search, search_scope: 'new_output' } });

test.each([
  ['one process under 12 names', OWN_WAITS, OWN_WAITS],
  ['all clients', ALL_WAITS, ALL_WAITS],
])(
  'of 300 waits of %s as many are open as may be; the others are told to come again, and none is lost',
  async (_, own, open) => {
    allow(own);
    const many = await Promise.all(Array.from({ length: 12 }, (_, n) => client(`waiter-${n}`)));
    let refused = 0;
    const all = Array.from({ length: 300 }, async (_, n) => {
      const answer = await waitFor(many[n % many.length] as Connected, 'they come now');
      if (answer.isError) refused += 1;
      return answer;
    });
    await expect.poll(() => refused, { timeout: 30_000 }).toBe(300 - open);
    await runIn(link.api, id, 'echo they "come" now');
    const answers = await Promise.all(all);
    const ended = answers.filter(({ isError }) => !isError);
    expect(ended).toHaveLength(open);
    for (const { structuredContent } of ended) expect(structuredContent).toMatchObject({ outcome: 'matched' });
    for (const { isError, structuredContent } of answers)
      if (isError)
        expect(structuredContent).toMatchObject({ code: 'RATE_LIMITED', retry_after_ms: expect.any(Number) });
    for (const one of clients.splice(0)) await one.close();
  },
  60_000,
);

test('the places of waits that have ended are free again, and the next one has none', async () => {
  allow(OWN_WAITS);
  const many = [await client('waiter-0')];
  const again = Array.from({ length: OWN_WAITS }, () => waitFor(many[0] as Connected, 'and again'));
  const fifth = await refusal((await client('waiter-0')).client, 'pty_snapshot_wait', {
    pty_id: id,
    stable_ms: 30_000,
  });
  expect(fifth.code).toBe('RATE_LIMITED');
  await runIn(link.api, id, 'echo and "again"');
  expect((await Promise.all(again)).map(({ isError }) => isError ?? false)).toEqual(again.map(() => false));
}, 60_000);

test.each([
  ['pty_snapshot_wait', () => ({ pty_id: id, search: 'never', wait_ms: 55_000 })],
  ['pty_snapshot_wait', () => ({ pty_id: id, for: ['agent_idle'], wait_ms: 55_000 })],
  ['pty_stream_since', () => ({ pty_id: id, search: 'never', wait_ms: 55_000 })],
  ['blocks_since', () => ({ pty_id: id, actor: 'agent', wait_ms: 55_000 })],
])('%s %#: a wait that the client cancels gives its place back', async (name, args) => {
  const own = await client('canceller');
  // the previous wait may still count for a moment
  const cancelled = () => {
    const stop = new AbortController();
    const call = own.client.callTool({ name, arguments: args() }, { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    return call.then(
      () => 'refused',
      () => 'cancelled',
    );
  };
  for (let n = 0; n < 2 * OWN_WAITS; n++) await expect.poll(cancelled).toBe('cancelled');
  await runIn(link.api, id, 'true');
  const then = { name: 'pty_snapshot_wait', arguments: { pty_id: id, wait_ms: 1 } };
  await expect.poll(async () => (await own.client.callTool(then)).isError ?? false).toBe(false);
});

test('a client that goes leaves no wait behind', async () => {
  const leaver = await client('leaver');
  const left = Array.from({ length: OWN_WAITS }, () => waitFor(leaver, 'never').catch(() => 'gone'));
  await expect.poll(async () => (await waitFor(leaver, 'never')).isError, { timeout: 5000 }).toBe(true);
  await leaver.close();
  expect(await Promise.all(left)).toEqual(left.map(() => 'gone'));
  const next = await client('leaver');
  await expect
    .poll(
      async () =>
        (await next.client.callTool({ name: 'pty_snapshot_wait', arguments: { pty_id: id, wait_ms: 1 } })).isError ??
        false,
    )
    .toBe(false);
});

test.each([
  ['(a+)+$', 'REGEX_TIMEOUT'],
  ['(a|a)*$', 'REGEX_TIMEOUT'],
  ['(a*)*b', 'REGEX_TIMEOUT'],
  ['(', 'BAD_REGEX'],
  ['[z-a]', 'BAD_REGEX'],
  ['(?<n>a)\\k<m>', 'BAD_REGEX'],
])('the pattern %s is refused, and nobody has to wait for it', async (search, code) => {
  const own = await client('evil');
  await runIn(link.api, id, `clear; printf '%0.sa' {1..60}; echo '!b'`);
  const startedMs = performance.now();
  const { code: told } = await refusal(own.client, 'pty_snapshot_wait', { pty_id: id, search, search_scope: 'screen' });
  expect(told).toBe(code);
  const { blocks } = await call(own.client, 'blocks_since', { limit: 1 });
  const grep = { block_id: blocks[0].block_id, grep: search };
  expect((await refusal(own.client, 'blocks_read', grep)).code).toBe(code);
  expect((await refusal(own.client, 'blocks_search', { query: search, regex: true })).code).toBe(code);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});
