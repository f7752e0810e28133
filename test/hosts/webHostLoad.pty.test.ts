import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectTo, formatRequest, sendRaw, UPGRADE } from './rawHttp.ts';
import { type RunningHost, startHost, stopHost } from './TestHost.ts';

/** Long enough for a normal request, short enough for a test. */
const REQUEST_TIMEOUT_MS = 300;
/** Shows a leak as well as 10,000 rounds, in one or two seconds. */
const ROUNDS = 1_000;

let running: RunningHost;
beforeAll(async () => {
  running = await startHost({ requestTimeoutMs: REQUEST_TIMEOUT_MS });
});
afterAll(() => stopHost(running));

const page = (): Promise<{ status: number }> =>
  sendRaw({ port: running.port }, formatRequest('GET /', running.trusted));
/** A socket that has become a WebSocket and stays one. */
async function upgraded(request: string): Promise<Socket> {
  const socket = await connectTo({ port: running.port });
  socket.write(request);
  const [head] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}
const openFiles = (): number => readdirSync('/proc/self/fd').length;

describe('a client that takes its time', () => {
  test.each([
    ['says nothing at all', ''],
    ['stops in the middle of its headers', 'GET / HTTP/1.1\r\nHost: 127'],
    [
      'announces a body that never comes',
      'POST /api/exchange HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{',
    ],
  ])('%s: it is shown the door', async (_, start) => {
    const socket = await connectTo({ port: running.port });
    socket.resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined); // a reset is as good an end as any
    if (start) socket.write(start.replace('{HOST}', `127.0.0.1:${running.port}`));
    await closed;
    expect((await page()).status).toBe(200);
  });

  test('trickles a header at a time: it is shown the door all the same', async () => {
    const socket = await connectTo({ port: running.port });
    socket.resume();
    socket.on('error', () => undefined); // fails when the host has closed the connection
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET / HTTP/1.1\r\n');
    const drip = setInterval(() => socket.write('X-Drip: 1\r\n'), REQUEST_TIMEOUT_MS / 10);
    await closed;
    clearInterval(drip);
    expect((await page()).status).toBe(200);
  });

  test('never closes its half after a refusal: as many as there is room for take nobody else out', async () => {
    const sockets = await Promise.all(Array.from({ length: 64 }, () => connectTo({ port: running.port })));
    await Promise.all(
      sockets.map(async (socket) => {
        socket.allowHalfOpen = true;
        socket.on('error', () => undefined); // a reset is as good an end as any
        const closed = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
        socket.resume();
        socket.write(formatRequest('GET /trpc', { ...UPGRADE, Host: `127.0.0.1:${running.port}` }));
        await closed;
      }),
    );
    expect((await page()).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

test('serves the page and a token holder beside 200 silent sockets', async () => {
  const sockets = await Promise.all(Array.from({ length: 200 }, () => connectTo({ port: running.port })));
  for (const socket of sockets) socket.on('error', () => undefined).resume();
  expect((await page()).status).toBe(200);
  const upgrade = formatRequest('GET /trpc', {
    ...running.trusted,
    ...UPGRADE,
  });
  expect((await sendRaw({ port: running.port }, upgrade)).status).toBe(101);
  for (const socket of sockets) socket.destroy();
});

test('two Host lines are refused, whichever comes first', async () => {
  const own = `Host: 127.0.0.1:${running.port}`;
  for (const lines of [
    [own, 'Host: evil.example'],
    ['Host: evil.example', own],
    [own, own],
    [own, 'hOsT: x'],
  ]) {
    const bytes = `GET / HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw({ port: running.port }, bytes)).status, lines.join()).toBe(400);
  }
});

describe('many clients', () => {
  test('accepts 64 WebSockets, refuses the next until one closes, and serves the page meanwhile', async () => {
    const upgrade = formatRequest('GET /trpc', { ...running.trusted, ...UPGRADE });
    const sockets = await Promise.all(Array.from({ length: 64 }, () => upgraded(upgrade)));
    expect((await sendRaw({ port: running.port }, upgrade)).status).toBe(503);
    expect((await page()).status).toBe(200);
    sockets[0]?.destroy();
    await expect.poll(async () => (await sendRaw({ port: running.port }, upgrade)).status).toBe(101);
    for (const socket of sockets) socket.destroy();
  });

  test('leave no file open behind them', async () => {
    await page();
    const before = openFiles();
    for (let round = 0; round < ROUNDS; round += 20) {
      await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          if (n % 5 === 0) return page();
          const socket = await connectTo({ port: running.port });
          if (n % 5 === 1) socket.write('GET / HTTP/1.1\r\n');
          if (n % 5 === 2) socket.write(formatRequest('GET /trpc', { ...UPGRADE, ...running.trusted }));
          if (n % 5 === 3) socket.write(formatRequest('GET /trpc', UPGRADE));
          const closed = new Promise((resolve) => socket.once('close', resolve));
          if (n % 2 === 0) socket.destroy();
          else socket.resetAndDestroy();
          return closed;
        }),
      );
    }
    await page();
    await expect.poll(openFiles, { timeout: 5_000 }).toBeLessThanOrEqual(before);
  });
});
