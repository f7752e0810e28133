import { createTRPCClient, createWSClient, wsLink } from '@trpc/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { AppRouter } from '../../src-main/api/appRouter.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { formatRequest, sendRaw, UPGRADE } from './rawHttp.ts';
import { type RunningHost, startHost, stopHost } from './TestHost.ts';

let running: RunningHost;
beforeAll(async () => {
  running = await startHost();
});
afterAll(() => stopHost(running));

function open(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${running.port}/trpc`, ['hansard', `token.${running.keys.token}`]);
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** The close code that ends `socket`. */
function ended(socket: WebSocket): Promise<number> {
  socket.on('error', () => undefined); // the close code is the result
  return new Promise((resolve) => socket.once('close', resolve));
}

/** Asks a question that only a healthy host answers. */
async function versionOf(socket: WebSocket): Promise<unknown> {
  const id = Math.floor(Math.random() * 1e9);
  const answered = new Promise<unknown>((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { id: number; result?: { data: { version: string } } };
      if (message.id === id) resolve(message.result?.data.version);
    });
  });
  socket.send(JSON.stringify({ id, jsonrpc: '2.0', method: 'query', params: { path: 'system.info' } }));
  return answered;
}

describe('the WebSocket', () => {
  test('answers the API, and tells which front it is', async () => {
    class Trusted extends WebSocket {
      constructor(url: string) {
        super(url, ['hansard', `token.${running.keys.token}`]);
      }
    }
    const client = createWSClient({
      url: `ws://127.0.0.1:${running.port}/trpc`,
      WebSocket: Trusted as unknown as typeof globalThis.WebSocket,
    });
    const api = createTRPCClient<AppRouter>({ links: [wsLink({ client })] });
    expect(await api.system.info.query()).toMatchObject({ version: '0.0.0', frontend: 'web' });
    await expect(api.system.newUrl.mutate(), 'a page must not mint keys').rejects.toThrow('not yours');
    await client.close();
  });

  test('does not say the token back', async () => {
    const headers = {
      ...UPGRADE,
      Host: `127.0.0.1:${running.port}`,
      'Sec-WebSocket-Protocol': `hansard, token.${running.keys.token}`,
    };
    const answer = await sendRaw({ port: running.port }, formatRequest('GET /trpc', headers));
    expect([answer.status, answer.headers['sec-websocket-protocol']]).toEqual([101, 'hansard']);
    expect(JSON.stringify(answer)).not.toContain(running.keys.token);
  });

  test('is only where the API is', async () => {
    const answer = await sendRaw(
      { port: running.port },
      formatRequest('GET /elsewhere', { ...UPGRADE, ...running.trusted }),
    );
    expect(answer.status).toBe(404);
  });

  test('closes on a message over 1 MiB, and the host goes on', async () => {
    const socket = await open();
    const code = ended(socket);
    socket.send('x'.repeat(1024 * 1024 + 1));
    expect(await code).toBe(1009);
    const other = await open();
    expect(await versionOf(other)).toBe('0.0.0');
    other.terminate();
  });

  test('closes on text that is no UTF-8', async () => {
    const socket = await open();
    const code = ended(socket);
    socket.send(Buffer.from([0xff, 0xfe, 0xc0]), { binary: false });
    expect(await code).toBe(1007);
  });

  const request = (id: unknown, params: unknown): string =>
    JSON.stringify({ id, jsonrpc: '2.0', method: 'query', params });
  const hostile = fc.oneof(
    fc.constantFrom(
      '',
      '{',
      '{"id":1,"method":"query"',
      '{"id":1}{"id":2}',
      'null',
      '[]',
      '[[]]',
      '{"id":null,"method":"query"}',
      '{"__proto__":{"method":"query"},"id":1}',
      '{"id":1,"id":2,"method":"query","method":"mutation","params":{"path":"system.newUrl"}}',
      '['.repeat(10_000),
      '['.repeat(10_000) + ']'.repeat(10_000),
      `{"id":1,"method":"query","params":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
      request(1, { path: '__proto__' }),
      request(1, { path: 'constructor.prototype' }),
      request(1, { path: 'system' }),
      request(1, { path: 'terminal.write', input: { __proto__: { id: 't1' } } }),
      request(1, { path: 'terminal.open', input: { cols: -1, rows: 1e9 } }),
      request(1, { path: 'block.lines', input: { terminalId: '../../etc', blockId: 'x', from: 0, count: 1 } }),
    ),
    fc.json(),
    fc
      .record({ id: fc.anything(), method: fc.string(), params: fc.anything() })
      .map((value) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))),
  );

  test('answers or closes on whatever is sent, and goes on for others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 6 }), async (messages) => {
        const [socket, witness] = await Promise.all([open(), open()]);
        socket.on('error', () => undefined); // a close is one of the two correct answers
        for (const message of messages) socket.send(message);
        expect(await versionOf(witness)).toBe('0.0.0');
        socket.terminate();
        witness.terminate();
      }),
      fuzzRuns(60),
    );
  });

  test('an id that is used twice disturbs nobody', async () => {
    const socket = await open();
    for (let n = 0; n < 20; n++) socket.send(request(7, { path: 'system.info' }));
    expect(await versionOf(socket)).toBe('0.0.0');
    socket.terminate();
  });
});
