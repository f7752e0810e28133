import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatRequest, sendRaw, UPGRADE } from './rawHttp.ts';
import { type RunningHost, startHost, stopHost } from './TestHost.ts';

const PUBLIC = 'https://box.example.net';
const NAME = 'box.example.net';

let tunnelled: RunningHost;
let plain: RunningHost;
beforeAll(async () => {
  tunnelled = await startHost({ publicOrigin: PUBLIC });
  plain = await startHost();
});
afterAll(async () => {
  plain.host.dispose();
  await stopHost(tunnelled); // waits for the sockets of both hosts
});

async function statusOf(running: RunningHost, Host: string, Origin?: string): Promise<number> {
  const fill = (text: string) => text.replaceAll('PORT', String(running.port));
  const headers = { Host: fill(Host), ...(Origin !== undefined && { Origin: fill(Origin) }) };
  return (await sendRaw({ port: running.port }, formatRequest('GET /', headers))).status;
}

describe('a host that a tunnel leads to', () => {
  test.each([
    [NAME, undefined, 200],
    [NAME, PUBLIC, 200],
    ['127.0.0.1:PORT', undefined, 200],
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT', 200],
    [NAME, 'http://127.0.0.1:PORT', 403],
    ['127.0.0.1:PORT', PUBLIC, 403],
    [NAME, 'http://box.example.net', 403],
    [NAME, 'https://box.example.net:8443', 403],
    [NAME, 'https://evil.box.example.net', 403],
    [NAME, 'https://box.example.net.evil.example', 403],
    [NAME, 'null', 403],
    [NAME, '', 403],
    ['evil.box.example.net', undefined, 403],
    ['box.example.net.evil.example', undefined, 403],
    ['BOX.example.net', undefined, 403],
    ['box.example.net.', undefined, 403],
    ['box.example.net:443', undefined, 403],
    ['box.example.net:PORT', undefined, 403],
    ['https://box.example.net', undefined, 403],
  ])('answers Host %s from Origin %s with %i', async (host, origin, status) => {
    expect(await statusOf(tunnelled, host, origin)).toBe(status);
  });

  test('still asks for the token of a WebSocket, and takes it from its own page only', async () => {
    const { port, keys } = tunnelled;
    const upgrade = async (headers: Record<string, string>) =>
      (await sendRaw({ port }, formatRequest('GET /trpc', { ...UPGRADE, Host: NAME, ...headers }))).status;
    const token = { 'Sec-WebSocket-Protocol': `hansard, token.${keys.token}` };
    expect(await upgrade({ Origin: PUBLIC })).toBe(401);
    expect(await upgrade({ Origin: PUBLIC, ...token })).toBe(101);
    expect(await upgrade({ Origin: 'https://evil.example', ...token })).toBe(403);
  });

  test('lets its page connect to itself by name, and no further', async () => {
    const { headers } = await sendRaw({ port: tunnelled.port }, formatRequest('GET /', { Host: NAME }));
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain(
      `connect-src 'self' ws://127.0.0.1:${tunnelled.port} ws://localhost:${tunnelled.port} wss://${NAME};`,
    );
  });
});

test('a host without a tunnel does not know that name', async () => {
  expect(await statusOf(plain, NAME)).toBe(403);
  expect(await statusOf(plain, NAME, PUBLIC)).toBe(403);
  expect(await statusOf(plain, '127.0.0.1:PORT', PUBLIC)).toBe(403);
});
