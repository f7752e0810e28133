import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw, UPGRADE } from '../../hosts/rawHttp.ts';
import { ROOT } from '../../support/sourceFiles.ts';
import { HttpBed, TOKEN } from './HttpBed.ts';
import { INITIALIZE, modern, post, requestBytes } from './httpMessages.ts';

const bed = new HttpBed();

beforeAll(async () => {
  await bed.start();
});
afterAll(() => bed.dispose());

const HELLO = JSON.stringify(INITIALIZE);

describe('who is let in', () => {
  test('a client with the token, in both eras', async () => {
    expect(await post(bed.port, HELLO)).toMatchObject({ status: 200 });
    expect(await post(bed.port, ...modern('tools/list'))).toMatchObject({ status: 200 });
  });

  test.each([
    ['the address', (port: number) => ({ Host: `127.0.0.1:${port}`, Origin: `http://127.0.0.1:${port}` })],
    ['localhost', (port: number) => ({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` })],
    ['no origin, as programs have none', (port: number) => ({ Host: `localhost:${port}` })],
  ])('%s is us', async (_, headersOf) => {
    expect(await post(bed.port, HELLO, headersOf(bed.port))).toMatchObject({ status: 200 });
  });

  test.each([
    ['no token', { Authorization: undefined }, 401],
    ['a wrong token', { Authorization: `Bearer ${'b'.repeat(64)}` }, 401],
    ['a part of the token', { Authorization: `Bearer ${TOKEN.slice(1)}` }, 401],
    ['more than the token', { Authorization: `Bearer ${TOKEN}a` }, 401],
    ['the token without its scheme', { Authorization: TOKEN }, 401],
    ['the token as a password', { Authorization: `Basic ${Buffer.from(`x:${TOKEN}`).toString('base64')}` }, 401],
    ['no host', { Host: undefined }, 400],
    ['another host', { Host: 'evil.example' }, 403],
    ['our name at another port', { Host: '127.0.0.1:1' }, 403],
    ['our name without a port', { Host: '127.0.0.1' }, 403],
    ['any address of this machine', { Host: '0.0.0.0:{PORT}' }, 403],
    ['a name that begins like ours', { Host: '127.0.0.1:{PORT}.evil.example' }, 403],
    ['a name that resolves to us by now', { Host: 'evil.example:{PORT}', Origin: 'http://evil.example:{PORT}' }, 403],
    ['a page of another site', { Origin: 'http://evil.example' }, 403],
    ['a page of another port', { Origin: 'http://127.0.0.1:1' }, 403],
    ['a page over TLS', { Origin: 'https://127.0.0.1:{PORT}' }, 403],
    ['a page without an origin of its own', { Origin: 'null' }, 403],
    ['a page of another site without the token', { Origin: 'http://evil.example', Authorization: undefined }, 403],
  ] as [string, Record<string, string | undefined>, number][])('%s is not', async (_, given, status) => {
    const filled = Object.entries(given).map(([name, value]) => [name, value?.replace('{PORT}', String(bed.port))]);
    const answer = await post(bed.port, HELLO, Object.fromEntries(filled) as typeof given);
    expect({ status: answer.status, connection: answer.headers.connection }).toEqual({ status, connection: 'close' });
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  });

  test('the token in the address is no token', async () => {
    const bytes = requestBytes(`POST /mcp?token=${TOKEN}`, bed.port, {
      body: HELLO,
      headers: { Authorization: undefined },
    });
    expect(await sendRaw({ port: bed.port }, bytes)).toMatchObject({ status: 401 });
  });
});

describe('what is answered', () => {
  test.each(['OPTIONS', 'HEAD', 'PUT', 'PATCH', 'TRACE', 'PROPFIND'])(
    '%s is refused, and told what is not',
    async (method) => {
      const { status, headers } = await sendRaw({ port: bed.port }, requestBytes(`${method} /mcp`, bed.port));
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, POST, DELETE' });
    },
  );

  test.each([
    '/',
    '/mcp/',
    '/MCP',
    '//mcp',
    '/../mcp',
    '/mcp/../mcp',
    '/.well-known/oauth-authorization-server',
    'http://evil.example/mcp',
    '*',
  ])('nothing stands at %s', async (path) => {
    const answer = await sendRaw({ port: bed.port }, requestBytes(`POST ${path}`, bed.port, { body: HELLO }));
    expect(answer.status).toBe(404);
  });

  test.each([
    ['GET', { Accept: 'text/event-stream' }, 400],
    ['GET', {}, 400],
    ['DELETE', {}, 400],
    ['GET', { 'mcp-session-id': '0'.repeat(32), Accept: 'text/event-stream' }, 404],
    ['DELETE', { 'mcp-session-id': '0'.repeat(32) }, 404],
    ['GET', { 'mcp-session-id': '__proto__' }, 404],
  ])('%s %o needs a session that there is', async (method, headers, status) => {
    const answer = await sendRaw({ port: bed.port }, requestBytes(`${method} /mcp`, bed.port, { headers }));
    expect(answer.status).toBe(status);
  });

  test.each([
    ['a preflight of a page', 'OPTIONS', { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' }],
    ['a preflight of our own address', 'OPTIONS', { Origin: 'http://127.0.0.1:{PORT}' }],
    ['a call from our own address', 'POST', { Origin: 'http://127.0.0.1:{PORT}' }],
  ])('%s is told nothing of CORS, and no answer is kept or sniffed', async (_, method, given) => {
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace('{PORT}', String(bed.port))]),
    );
    const answer = await sendRaw(
      { port: bed.port },
      requestBytes(`${method} /mcp`, bed.port, { body: HELLO, headers }),
    );
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers['cache-control']).toMatch(/no-store|no-cache/);
  });

  test('no refusal tells the token or a path', async () => {
    const answers = await Promise.all([
      post(bed.port, HELLO, { Authorization: 'Bearer x' }),
      post(bed.port, '{', {}),
      post(bed.port, HELLO, { 'Content-Type': 'text/plain' }),
      post(bed.port, ...modern('tools/call', { name: 'no_such_tool', arguments: {} })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 400, 415, 200]);
    const told = JSON.stringify([answers, bed.told]);
    expect(told).not.toContain(TOKEN);
    expect(told).not.toContain(ROOT);
  });

  test('a WebSocket is not to be had', async () => {
    const answer = await sendRaw(
      { port: bed.port },
      requestBytes('GET /mcp', bed.port, { headers: { ...UPGRADE, Connection: 'close, Upgrade' } }),
    );
    expect(answer.status).toBe(400);
  });

  test('a body is asked for only from who is let in', async () => {
    const expectation = { Expect: '100-continue', 'Content-Length': String(HELLO.length) };
    const good = requestBytes('POST /mcp', bed.port, { headers: expectation }) + HELLO;
    expect((await sendRaw({ port: bed.port }, good)).status).toBe(100);
    const bad = requestBytes('POST /mcp', bed.port, { headers: { ...expectation, Authorization: 'Bearer x' } });
    expect((await sendRaw({ port: bed.port }, bad)).status).toBe(401);
  });
});

test('it listens on 127.0.0.1 and on no other address of this machine', async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((one) => one ?? [])
    .filter(({ address, family }) => address !== '127.0.0.1' && (family === 'IPv4' || address === '::1'));
  const reached = await Promise.all(
    others.map(
      ({ address }) =>
        new Promise<string>((resolve) => {
          const socket = createConnection(bed.port, address);
          socket.on('connect', () => {
            socket.destroy();
            resolve(address);
          });
          socket.on('error', () => resolve(''));
        }),
    ),
  );
  expect(reached.filter((address) => address !== '')).toEqual([]);
});

interface Row {
  transport: 'http' | 'ws';
  headers: Record<string, string>;
  expect: number;
  why: string;
}
const rows = (
  JSON.parse(readFileSync(join(ROOT, 'test/fixtures/security/http-ws-header-matrix.json'), 'utf8')) as Row[]
).filter(({ transport }) => transport === 'http');

/** The matrix describes requests for pages; this test sends a call instead. */
test.each(rows.map((row) => [row.why, row] as const))('header matrix: %s', async (_, row) => {
  const fill = (text: string): string => text.replaceAll('{PORT}', String(bed.port)).replaceAll('{TOKEN}', TOKEN);
  const { method = 'POST', path = '/mcp', ...rest } = row.headers;
  const filled = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, fill(value)]));
  const headers = { Host: undefined, Authorization: undefined, ...filled };
  const answer = await sendRaw(
    { port: bed.port },
    requestBytes(`${method} ${path}`, bed.port, { body: HELLO, headers }),
  );
  expect(answer.status).toBe(row.why.includes('if bound') ? 403 : row.expect);
});
