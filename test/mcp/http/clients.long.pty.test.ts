import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from 'mcp-sdk-1/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from 'mcp-sdk-1/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from 'mcp-sdk-1/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { call, refusal } from '../mcpClient.ts';
import { HttpBed, TOKEN } from './HttpBed.ts';
import { goodHeaders, INITIALIZE, modern, post } from './httpMessages.ts';

const bed = new HttpBed();
const ended: (() => Promise<void>)[] = [];

beforeAll(async () => {
  await bed.start();
});
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});
afterAll(() => bed.dispose());

type Mode = 'legacy' | 'auto' | { pin: '2026-07-28' };
const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };

async function connect(
  mode: Mode,
  name = 'over-http',
): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(bed.url), { requestInit });
  await client.connect(transport);
  ended.push(() => client.close());
  return { client, transport };
}

const MODES: [string, Mode, 'legacy' | 'modern'][] = [
  ['with a handshake', 'legacy', 'legacy'],
  ['as it finds', 'auto', 'modern'],
  ['without a handshake', { pin: '2026-07-28' }, 'modern'],
];

describe.each(MODES)('an SDK 2 client, %s', (_, mode, era) => {
  test('lists, calls, reads, and is told what was wrong', async () => {
    const { client } = await connect(mode);
    expect(client.getProtocolEra()).toBe(era);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    expect(await call(client, 'pty_list')).toMatchObject({ ptys: [] });
    expect(await refusal(client, 'pty_snapshot', { pty_id: 5 })).toMatchObject({ code: 'BAD_INPUT' });
    expect(await refusal(client, 'pty_status', { pty_id: 'nobody' })).toMatchObject({ code: 'PTY_NOT_FOUND' });
    expect((await client.readResource({ uri: 'term://ptys' })).contents).toHaveLength(1);
    await expect(client.readResource({ uri: 'term://nothing' })).rejects.toMatchObject({
      data: { uri: 'term://nothing' },
    });
  });

  test('is nobody that we know: unverified, in no terminal, with the scopes of its name', async () => {
    writeFileSync(
      join(bed.testCore.dataFolder, 'policy.json'),
      '{"version":1,"clients":{"*":{"scopes":["observe"]},"trusted-one":{"scopes":["exec"]}}}',
      { mode: 0o600 },
    );
    const stranger = await connect(mode);
    const told = await call(stranger.client, 'pty_whoami');
    expect(told).toMatchObject({ client: 'over-http', caller_verified: false, scopes: ['observe'] });
    expect(told).not.toHaveProperty('caller_pty_id');
    const known = await connect(mode, 'trusted-one');
    expect(await call(known.client, 'pty_whoami')).toMatchObject({
      caller_verified: false,
      scopes: ['observe', 'suggest', 'exec'],
    });
  });

  test('hears of what it subscribed to, and leaves nothing behind when it goes', async () => {
    const { client } = await connect(mode);
    const told: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
    if (era === 'modern') await client.listen({ resourceSubscriptions: ['term://ptys'] });
    else await client.subscribeResource({ uri: 'term://ptys' });
    const { id } = await bed.testCore.open();
    await expect.poll(() => told.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(new Set(told)).toEqual(new Set(['term://ptys']));
    await client.close();
    await bed.testCore.core.close(id, true);
    await expect.poll(() => bed.http.listens).toBe(0);
  });

  test('may give up a wait', async () => {
    const { client } = await connect(mode);
    const { id } = await bed.testCore.open();
    const given = new AbortController();
    const waiting = client.callTool(
      { name: 'pty_snapshot_wait', arguments: { pty_id: id, search: 'never printed', wait_ms: 50_000 } },
      { signal: given.signal },
    );
    setTimeout(() => given.abort(), 100);
    await expect(waiting).rejects.toThrow();
    expect(await call(client, 'pty_list')).toMatchObject({ ptys: [{ pty_id: id }] });
    await bed.testCore.core.close(id, true);
  });
});

test('an SDK 1 client lists, calls and hears', async () => {
  const client = new Client1({ name: 'one', version: '1' });
  await client.connect(new Http1(new URL(bed.url), { requestInit }) as never);
  ended.push(() => client.close());
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  expect(await client.callTool({ name: 'pty_list', arguments: {} })).toMatchObject({ structuredContent: { ptys: [] } });
  let told = 0;
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => {
    told += 1;
  });
  await client.subscribeResource({ uri: 'term://ptys' });
  const { id } = await bed.testCore.open();
  await expect.poll(() => told, { timeout: 10_000 }).toBeGreaterThan(0);
  await bed.testCore.core.close(id, true);
});

describe('sessions of the 2025 era', () => {
  test('each is its own, and is over when its client says so', async () => {
    const first = await connect('legacy');
    const second = await connect('legacy');
    const ids = [first.transport.sessionId, second.transport.sessionId];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
    const open = bed.http.sessions;
    await first.transport.terminateSession();
    expect(bed.http.sessions).toBe(open - 1);
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect(await post(bed.port, ping, { 'mcp-session-id': ids[0] })).toMatchObject({ status: 404 });
    expect(await call(second.client, 'pty_list')).toMatchObject({ ptys: [] });
  });

  test('a session that begins wrong leaves nothing behind', async () => {
    const open = bed.http.sessions;
    const hello = JSON.stringify(INITIALIZE);
    expect(await post(bed.port, hello, { Accept: 'application/json' })).toMatchObject({ status: 406 });
    expect(bed.http.sessions).toBe(open);
  });
});

describe('the inbox', () => {
  test("is heard of by its owner alone, though another's stream names the same address", async () => {
    const owner = await connect({ pin: '2026-07-28' }, 'owner');
    const other = await connect({ pin: '2026-07-28' }, 'other');
    const heard = { owner: 0, other: 0 };
    for (const [name, { client }] of Object.entries({ owner, other })) {
      client.setNotificationHandler('notifications/resources/updated', () => {
        heard[name as keyof typeof heard] += 1;
      });
      await client.listen({ resourceSubscriptions: ['term://inbox/owner'] });
    }
    const { id } = await bed.testCore.open();
    await call(owner.client, 'pty_notify', { pty_id: id, stable_ms: 50, message: 'still' });
    await expect.poll(() => heard.owner, { timeout: 20_000 }).toBe(1);
    await call(other.client, 'pty_whoami'); // a notification in transit arrives before this answer
    expect(heard.other).toBe(0);
    await bed.testCore.core.close(id, true);
  });
});

test('a call that became a task is asked for by its id, which the header has to name too', async () => {
  const knows = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const own = await bed.testCore.open();
  const ask = async (method: string, params: Record<string, unknown>, headers: object = {}) => {
    const [body, right] = modern(method, params, knows);
    const { status, body: text } = await post(bed.port, body, { ...right, ...headers });
    return {
      status,
      ...(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as { result?: Record<string, unknown> }),
    };
  };
  const watching = { name: 'pty_notify', arguments: { pty_id: own.id, search: 'nothing here', ttl_s: 1 } };
  const created = (await ask('tools/call', watching)).result;
  expect(created).toMatchObject({ resultType: 'task', status: 'working' });
  const taskId = String(created?.taskId);
  expect((await ask('tasks/get', { taskId }, { 'Mcp-Name': 'n-00000000' })).status).toBe(400);
  await expect
    .poll(async () => (await ask('tasks/get', { taskId })).result, { timeout: 20_000 })
    .toMatchObject({ status: 'completed', result: { structuredContent: { outcome: 'expired' } } });
  await bed.testCore.core.close(own.id, true);
});

test('shut means shut: streams end, sessions are gone, nobody is let in', async () => {
  const own = await new HttpBed().start();
  const [body, headers] = modern('subscriptions/listen', { notifications: { resourceSubscriptions: ['term://ptys'] } });
  const asked = { ...goodHeaders(own.port), ...headers };
  const response = await fetch(own.url, { method: 'POST', headers: asked, body });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toContain('subscriptions/acknowledged');
  expect(own.door.connections).toBe(1);
  own.door.dispose();
  const rest = await reader.read().catch(() => ({ done: true }));
  if (!rest.done) await reader.read().catch(() => undefined); // one last chunk is allowed
  await expect.poll(() => own.seats.taken).toBe(0);
  await expect(fetch(own.url)).rejects.toThrow();
  await own.dispose();
});
