import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { securityHeaders } from '../../src-main/hosts/http/securityHeaders.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { formatRequest, sendRaw, UPGRADE } from './rawHttp.ts';
import { type RunningHost, startHost, stopHost } from './TestHost.ts';

let running: RunningHost;
beforeAll(async () => {
  running = await startHost();
});
afterAll(() => stopHost(running));

const ask = (line: string, headers: Record<string, string> = {}, body = '') =>
  sendRaw({ port: running.port }, formatRequest(line, { Host: `127.0.0.1:${running.port}`, ...headers }, body));

const exchange = (body: string, headers: Record<string, string> = {}) =>
  ask('POST /api/exchange', { 'Content-Type': 'application/json', ...headers }, body);

describe('the page', () => {
  test('is delivered without a token, and holds none', async () => {
    const answer = await ask('GET /');
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer)).not.toContain(running.keys.token);
    expect(Object.keys(answer.headers)).not.toContain('set-cookie');
  });

  test.each([
    ['/assets/index.js', 'private, max-age=31536000, immutable'],
    ['/', 'no-store'],
    ['/assets/missing.js', 'no-store'],
  ])('%s is cached as: %s', async (path, caching) => {
    expect((await ask(`GET ${path}`)).headers['cache-control']).toBe(caching);
  });

  test('a HEAD has no body', async () => {
    expect(await ask('HEAD /')).toMatchObject({ status: 200, body: '' });
  });

  test.each([
    '/../package.json',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/../../../../etc/passwd',
    '/assets\\..\\..\\etc\\passwd',
    '/assets/index.js%00.html',
    '/assets/index.js/',
    '//etc/passwd',
    '/etc/passwd',
    '/%',
    '/__proto__',
    '/constructor',
    'http://127.0.0.1/',
    'http://[',
    '*',
    'file:///etc/passwd',
  ])('%s is not found', async (target) => {
    expect((await ask(`GET ${target}`)).status).toBe(404);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])('%s is not allowed', async (method) => {
    const answer = await ask(`${method} /`);
    expect(answer.status).toBe(405);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('a token in the address counts for nothing', async () => {
    const answer = await sendRaw(
      { port: running.port },
      formatRequest(`GET /trpc?token=${running.keys.token}`, { ...UPGRADE, Host: `127.0.0.1:${running.port}` }),
    );
    expect(answer.status).toBe(401);
  });
});

describe('the exchange of a code', () => {
  test('gives the token once, and never again', async () => {
    const code = running.keys.newCode();
    const first = await exchange(JSON.stringify({ code }));
    const second = await exchange(JSON.stringify({ code }));
    expect([first.status, first.body]).toEqual([200, JSON.stringify({ token: running.keys.token })]);
    expect([second.status, second.body.includes(running.keys.token)]).toEqual([401, false]);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-7',
    '',
  ])('content type "%s" is refused and does not use the code up', async (type) => {
    const code = running.keys.newCode();
    expect((await exchange(JSON.stringify({ code }), { 'Content-Type': type })).status).toBe(415);
    expect((await exchange(JSON.stringify({ code }))).status).toBe(200);
  });

  test.each([
    ['another origin', { Origin: 'http://evil.example' }, 403],
    ['an opaque origin', { Origin: 'null' }, 403],
    ['another name of this machine', { Host: 'rebound.example' }, 403],
    ['a wrong token besides', { Authorization: 'Bearer x' }, 401],
  ])('%s is refused and does not use the code up', async (_, headers, status) => {
    const code = running.keys.newCode();
    expect((await exchange(JSON.stringify({ code }), headers)).status).toBe(status);
    expect((await exchange(JSON.stringify({ code }))).status).toBe(200);
  });

  test('a body that no code needs is not read to its end', async () => {
    expect((await exchange('x'.repeat(100_000))).status).toBe(413);
  });

  test('no body that is not the code gets a token', async () => {
    const bodies = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record({ code: fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string())) })
        .map((body) => JSON.stringify(body)),
      fc.constantFrom('{"code":"a","code":"b"}', '{"__proto__":{"code":"x"}}', '{"code":', '[[[[', '\u0000'),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const { status } = await exchange(body || ' ');
        expect([401, 413]).toContain(status);
      }),
      fuzzRuns(60),
    );
  });
});

describe('what every answer carries', () => {
  const expected = () => {
    const all = securityHeaders([`ws://127.0.0.1:${running.port}`, `ws://localhost:${running.port}`]);
    return Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]));
  };

  test.each([
    ['the page', 'GET /', {}, 200],
    ['a file that is not there', 'GET /none', {}, 404],
    ['a wrong method', 'TRACE /', {}, 405],
    ['another origin', 'GET /', { Origin: 'http://evil.example' }, 403],
    ['a wrong token', 'GET /', { Authorization: 'Bearer wrong' }, 401],
    ['an upgrade without a token', 'GET /trpc', UPGRADE, 401],
    ['a request without JSON', 'POST /api/exchange', {}, 415],
    ['an expectation', 'GET /', { Expect: 'the-unexpected' }, 417],
    ['an unknown method', 'FROB /', {}, 400],
    ['a header of 64 kB', 'GET /', { 'X-Long': 'x'.repeat(65_536) }, 431],
    ['a body length that is none', 'POST /', { 'Content-Length': 'ten' }, 400],
  ])('%s', async (_, line, headers, status) => {
    const answer = await ask(line, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(expected());
  });

  test('an upgrade to something else than a WebSocket', async () => {
    const headers = { ...running.trusted, Connection: 'Upgrade', Upgrade: 'h2c' };
    const answer = await ask('GET /trpc', headers);
    expect([answer.status, answer.headers['content-security-policy']]).toEqual([
      400,
      expected()['content-security-policy'],
    ]);
  });
});

describe('the policy', () => {
  test('is the one that was decided, with our own socket as the only thing to connect to', async () => {
    const { headers } = await ask('GET /');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; manifest-src 'self'; " +
        `connect-src 'self' ws://127.0.0.1:${running.port} ws://localhost:${running.port}; base-uri 'none'; form-action 'none'; ` +
        "frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
    );
  });
});
