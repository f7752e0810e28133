import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { call, INITIALIZE, INITIALIZED, RawBridge, SmallApp } from './bridgeBed.ts';

const root = suiteFolder('mcp-bridge');
let round = 0;
const newHome = (): string => {
  const home = join(root, `h${round++}`);
  mkdirSync(home, { mode: 0o700 });
  return home;
};

const open: { end(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.end();
});
const started = async (home: string, options = {}): Promise<SmallApp> => {
  const app = await SmallApp.start(home, options);
  open.push(app);
  return app;
};
const bridge = (home: string, ...more: string[]): RawBridge => {
  const made = new RawBridge(home, ...more);
  open.push(made);
  return made;
};
const textOf = (answer: Record<string, unknown>): string =>
  (answer.result as { content: { text: string }[] }).content.map(({ text }) => text).join();

describe('with an app', () => {
  test('messages go through as they are, behind a preface that says who asks', async () => {
    const home = newHome();
    await started(home);
    const client = bridge(home, '--profile', 'observe');
    client.send(INITIALIZE);
    expect(await client.answer('first')).toMatchObject({ result: { serverInfo: { name: 'small', version: '1' } } });
    client.send(INITIALIZED);
    client.send(call(1, 'echo', { text: 'häß\u{1f980}' }));
    expect(await client.answer(1)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'häß\u{1f980}' }] },
    });
    client.send(call(2, 'preface'));
    expect(JSON.parse(textOf(await client.answer(2)))).toEqual({
      bridge_pid: client.child.pid,
      bridge_ppid: process.pid,
      profile: 'observe',
      client_hint: 'raw',
      cwd: process.cwd(),
    });
  });

  test('a question of the app reaches the client, and its answer the app', async () => {
    const home = newHome();
    await started(home);
    const client = bridge(home);
    for (const message of [INITIALIZE, INITIALIZED, call(1, 'ask')]) client.send(message);
    const asked = await client.message(({ method }) => method === 'elicitation/create');
    client.send({ jsonrpc: '2.0', id: asked.id, result: { action: 'decline' } });
    expect(textOf(await client.answer(1))).toBe('decline');
  });

  test('its end is the end of the client: the bridge goes when stdin does, with 0, and prints nothing', async () => {
    const home = newHome();
    await started(home);
    const client = bridge(home);
    client.send(INITIALIZE);
    await client.answer('first');
    expect([await client.end(), client.stderr]).toEqual([0, '']);
  });

  test('answers that are on their way when stdin ends still come', async () => {
    const home = newHome();
    await started(home);
    const client = bridge(home);
    for (const message of [INITIALIZE, INITIALIZED, call(1, 'echo', { text: 'last' })]) client.send(message);
    expect(await client.end()).toBe(0);
    expect(client.messages().map(({ id }) => id)).toEqual(['first', 1]);
  });

  test('SIGINT, which a terminal sends to all of its programs, does not end it; SIGTERM does', async () => {
    const home = newHome();
    await started(home);
    const client = bridge(home);
    client.send(INITIALIZE);
    await client.answer('first');
    client.child.kill('SIGINT');
    client.send(call(1, 'echo', { text: 'still here' }));
    expect(textOf(await client.answer(1))).toBe('still here');
    client.child.kill('SIGTERM');
    await new Promise((resolve) => client.child.once('close', resolve));
    expect(client.child.signalCode).toBe('SIGTERM');
  });
});

describe('an app that is killed in the middle', () => {
  test('calls on their way are answered, and the next app gets the next call', async () => {
    const home = newHome();
    const first = await started(home);
    const client = bridge(home);
    for (const message of [INITIALIZE, INITIALIZED, call(1, 'hang')]) client.send(message);
    client.send(call(2, 'echo', { text: 'before' }));
    await client.answer(2);
    await first.end('SIGKILL');
    expect(await client.answer(1)).toMatchObject({
      result: { isError: true, structuredContent: { code: 'APP_RESTARTED' } },
    });
    client.send(call(3, 'echo'));
    expect(textOf(await client.answer(3))).toMatch(/^APP_NOT_RUNNING: Hansard is not running — /);
    await started(home, { version: '2' });
    client.send(call(4, 'echo', { text: 'after' }));
    expect(textOf(await client.answer(4))).toBe('after');
    expect(client.messages().filter(({ id }) => id === 'first')).toHaveLength(1);
  });

  test('subscriptions go on with the next app, and the client hears that it should look again', async () => {
    const home = newHome();
    const first = await started(home);
    const client = bridge(home);
    const uri = 'term://counter';
    for (const message of [INITIALIZE, INITIALIZED]) client.send(message);
    client.send({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } });
    expect(await client.answer(1)).toMatchObject({ result: {} });
    await first.end('SIGKILL');
    await started(home, { version: '2' });
    const updates = (): unknown[] =>
      client.messages().filter(({ method }) => method === 'notifications/resources/updated');
    await client.until(() => (updates().length === 1 ? true : undefined));
    expect(client.messages().map(({ method }) => method)).toContain('notifications/tools/list_changed');
    client.send(call(2, 'count'));
    await client.answer(2);
    expect(updates()).toEqual(
      [1, 2].map(() => ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })),
    );
  });

  test('what it had asked is withdrawn, and a late answer does not reach the next app', async () => {
    const home = newHome();
    const first = await started(home);
    const client = bridge(home);
    for (const message of [INITIALIZE, INITIALIZED, call(1, 'ask')]) client.send(message);
    const old = await client.message(({ method }) => method === 'elicitation/create');
    await first.end('SIGKILL');
    const { params } = await client.message(({ method }) => method === 'notifications/cancelled');
    expect(params).toMatchObject({ requestId: old.id });
    await started(home);
    client.send(call(2, 'ask'));
    const next = await client.message(({ method, id }) => method === 'elicitation/create' && id !== old.id);
    client.send({ jsonrpc: '2.0', id: old.id, result: { action: 'accept', content: {} } });
    client.send({ jsonrpc: '2.0', id: next.id, result: { action: 'cancel' } });
    expect(textOf(await client.answer(2))).toBe('cancel');
  });
});

describe('without an app', () => {
  test('the handshake and the lists come from the catalog, and every call is told why it fails', async () => {
    const client = bridge(newHome(), '--profile=full');
    for (const message of [INITIALIZE, INITIALIZED, { jsonrpc: '2.0', id: 1, method: 'tools/list' }])
      client.send(message);
    expect(await client.answer('first')).toMatchObject({
      result: { protocolVersion: '2025-11-25', serverInfo: { version: 'catalog' }, instructions: 'from the catalog' },
    });
    expect(await client.answer(1)).toMatchObject({ result: { tools: [{ description: 'catalog full' }] } });
    client.send(call(2, 'echo'));
    expect(await client.answer(2)).toMatchObject({
      result: {
        isError: true,
        structuredContent: { code: 'APP_NOT_RUNNING', suggestion: expect.stringContaining('start') },
      },
    });
    client.send({ jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: 'term://ptys' } });
    expect(await client.answer(3)).toMatchObject({ error: { data: { code: 'APP_NOT_RUNNING' } } });
    client.send({ jsonrpc: '2.0', id: 4, method: 'no/such/thing' });
    expect(await client.answer(4)).toMatchObject({ error: { code: -32601 } });
  });

  test('one that comes later is found, and the client hears that its lists are old', async () => {
    const home = newHome();
    const client = bridge(home);
    for (const message of [INITIALIZE, INITIALIZED, { jsonrpc: '2.0', id: 1, method: 'tools/list' }])
      client.send(message);
    await client.answer(1);
    await started(home);
    await client.message(({ method }) => method === 'notifications/tools/list_changed');
    client.send(call(2, 'echo', { text: 'found' }));
    expect(textOf(await client.answer(2))).toBe('found');
  });

  test('a token that is not its own is a refusal at once, not a wait', async () => {
    const home = newHome();
    await started(home, { token: 'wrong' });
    const client = bridge(home);
    for (const message of [INITIALIZE, call(1, 'echo')]) client.send(message);
    expect(textOf(await client.answer(1))).toMatch(/^APP_NOT_RUNNING: Hansard \(process \d+\) did not let us in — /);
  });
});

describe.runIf(process.platform === 'linux')('at rest', () => {
  /** CPU time so far, in clock ticks of 10 ms. */
  const ticks = ({ child }: RawBridge): number => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };

  test('a bridge uses next to no processor, with an app and without', async () => {
    const home = newHome();
    await started(home);
    const clients = Array.from({ length: 6 }, (_, at) => bridge(at < 3 ? home : newHome()));
    for (const client of clients) client.send(INITIALIZE);
    for (const client of clients) await client.answer('first');
    const before = clients.map(ticks);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const spent = clients.map((client, at) => ticks(client) - (before[at] ?? 0));
    // 10 % of REST_MS would be 40 ticks; after the start, garbage collection and the first retries use a few
    expect(spent.filter((used) => used > 20)).toEqual([]);
  });
});

const REST_MS = 4_000;
