import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { depthOf, MAX_BODY_BYTES, parseBody } from '../../../src-main/hosts/mcp/readJsonBody.ts';
import { connectTo, sendRaw } from '../../hosts/rawHttp.ts';
import { HttpBed } from './HttpBed.ts';
import { goodHeaders, INITIALIZE, modern, post, requestBytes } from './httpMessages.ts';

const TIMEOUT_MS = 1_500;
const bed = new HttpBed();

beforeAll(async () => {
  await bed.start({ requestTimeoutMs: TIMEOUT_MS });
});
afterAll(() => bed.dispose());

/** Expects that the server still answers other clients. */
async function othersAreServed(): Promise<void> {
  const status = async (): Promise<number> => (await post(bed.port, ...modern('prompts/list'))).status;
  await expect.poll(status, { timeout: 20_000 }).toBe(200); // a busy machine may exceed the test's short timeouts once
}

const HELLO = JSON.stringify(INITIALIZE);

describe('what a body may be', () => {
  test.each([
    ['nothing', '', 400],
    ['half JSON', '{"jsonrpc":"2.0","id":1,"meth', 400],
    ['no JSON', 'hello', 400],
    ['no object', '5', 400],
    ['null', 'null', 400],
    ['an empty batch', '[]', 400],
    ['a batch of a thousand', `[${Array(1000).fill('{"jsonrpc":"2.0","id":1,"method":"ping"}').join()}]`, 400],
    ['10,000 levels of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 400],
    ['10,000 levels of arrays', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, 400],
    ['a million brackets that open', '['.repeat(1_000_000), 400],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), Buffer.from([0xff, 0x22, 0x7d])]),
      400,
    ],
    ['a name of Object.prototype', '{"jsonrpc":"2.0","id":1,"method":"__proto__","__proto__":{"a":1}}', 400],
  ] as [string, string | Buffer, number][])('%s is refused', async (_, body, status) => {
    const bytes = Buffer.from(body as string);
    const head = requestBytes('POST /mcp', bed.port, { headers: { 'Content-Length': String(bytes.length) } });
    expect(await sendRaw({ port: bed.port }, Buffer.concat([Buffer.from(head), bytes]))).toMatchObject({ status });
    await othersAreServed();
  });

  test('one byte more than may be is refused before it is sent', async () => {
    const headers = { 'Content-Length': String(MAX_BODY_BYTES + 1) };
    const answer = await sendRaw({ port: bed.port }, requestBytes('POST /mcp', bed.port, { headers }));
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  test('one that does not say how long it is is refused when it is too long', async () => {
    const socket = await connectTo({ port: bed.port });
    const answered = firstLine(socket);
    socket.write(requestBytes('POST /mcp', bed.port, { headers: { 'Transfer-Encoding': 'chunked' } }));
    const piece = `100000\r\n${'y'.repeat(0x100000)}\r\n`;
    for (let sent = 0; sent < 12 && !socket.destroyed; sent += 1) socket.write(piece);
    expect(await answered).toMatch(/^HTTP\/1\.1 413 |^$/); // the answer may be lost if bytes still arrive when the server closes
    socket.destroy();
    await othersAreServed();
  });

  test('one of 9 MB is read, and judged for what it says', async () => {
    const [body, headers] = modern('tools/call', {
      name: 'pty_list',
      arguments: { wrong: 'x'.repeat(9 * 1024 * 1024) },
    });
    const answer = await post(bed.port, body, headers);
    expect(answer).toMatchObject({ status: 200 });
    expect(JSON.parse(answer.body.slice(answer.body.indexOf('{'), answer.body.lastIndexOf('}') + 1))).toMatchObject({
      result: { isError: true, structuredContent: { code: 'BAD_INPUT' } },
    });
  });

  test('how deep JSON is, is what a parser would say', () => {
    const deepest = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(deepest)) : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(undefined, 2), (value, indent) => {
        expect(depthOf(Buffer.from(JSON.stringify(value, null, indent)))).toBe(deepest(value));
      }),
    );
  });

  test('no bytes make reading them throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof parseBody(bytes).ok).toBe('boolean');
      }),
    );
  });
});

/** The status line, or '' if the connection ends without one. */
function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let told = '';
    socket.on('data', (chunk) => {
      told += chunk.toString('latin1');
      if (told.includes('\r\n')) resolve(told.split('\r\n', 1)[0] ?? '');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(told.split('\r\n', 1)[0] ?? ''));
  });
}

describe('who is slow', () => {
  test.each([
    ['says nothing', ''],
    ['stops in the request line', 'POST /mc'],
    ['stops in the headers', requestBytes('POST /mcp', 0).slice(0, 60)],
    ['stops in the body', ''],
  ])('a client that %s is hung up on', async (what, sent) => {
    const socket = await connectTo({ port: bed.port });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.resume();
    const half = requestBytes('POST /mcp', bed.port, { headers: { 'Content-Length': '100' } });
    socket.write(what === 'stops in the body' ? `${half}{"jsonrpc"` : sent);
    await closed;
    await othersAreServed();
  });

  test('those that send a byte now and then are hung up on all the same', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => connectTo({ port: bed.port })));
    const line = requestBytes('POST /mcp', bed.port, { body: HELLO });
    let at = 0;
    const drip = setInterval(() => {
      for (const socket of sockets) if (!socket.destroyed) socket.write(line[at] ?? 'x');
      at += 1;
    }, 50);
    await othersAreServed();
    await Promise.all(
      sockets.map((socket) => {
        socket.on('error', () => undefined);
        socket.resume();
        return new Promise((resolve) => socket.once('close', resolve));
      }),
    );
    clearInterval(drip);
    expect(at).toBeLessThan(line.length); // the server closed the connection before the line was complete
  });
});

describe('how many', () => {
  const open = (): number => readdirSync('/proc/self/fd').length;

  test('of 400 connections sixteen are held, and when they go there is room again', async () => {
    await expect.poll(() => bed.seats.taken, { timeout: 10_000 }).toBe(0);
    const before = open();
    const sockets = await Promise.all(Array.from({ length: 400 }, () => connectTo({ port: bed.port })));
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.resume(); // without reading, the socket does not report that the other side has ended
    }
    const held = (): number => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
    await expect.poll(held, { timeout: 10_000 }).toBeLessThanOrEqual(16);
    expect(bed.door.connections).toBeLessThanOrEqual(16);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => bed.seats.taken, { timeout: 10_000 }).toBe(0);
    await expect.poll(open, { timeout: 10_000 }).toBeLessThanOrEqual(before + 1);
    await othersAreServed();
  });

  test('a hundred calls one behind the other on one connection are all answered, in order', async () => {
    const socket = await connectTo({ port: bed.port });
    let told = '';
    const ids = (): number[] => [...told.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
    socket.on('data', (chunk) => {
      told += chunk.toString('latin1');
    });
    for (let id = 1; id <= 100; id += 1) {
      const [body, headers] = modern('prompts/list');
      const numbered = body.replace('"id":5', `"id":${id}`);
      socket.write(
        requestBytes('POST /mcp', bed.port, { body: numbered, headers: { ...headers, Connection: 'keep-alive' } }),
      );
    }
    await expect.poll(ids, { timeout: 20_000 }).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
    socket.destroy();
  });

  test('sessions that were left behind make room for new ones', async () => {
    const begun: (string | undefined)[] = [];
    for (let count = 0; count < 70; count += 1) begun.push((await post(bed.port, HELLO)).headers['mcp-session-id']);
    expect(new Set(begun).size).toBe(70);
    expect(bed.http.sessions).toBe(64);
    const ping = '{"jsonrpc":"2.0","id":2,"method":"ping"}';
    expect(await post(bed.port, ping, { 'mcp-session-id': begun[0] })).toMatchObject({ status: 404 });
    expect(await post(bed.port, ping, { 'mcp-session-id': begun[69] })).toMatchObject({ status: 200 });
  });

  test('a client that reads nothing of what it asked for holds up nobody', async () => {
    const socket = await connectTo({ port: bed.port });
    socket.pause();
    const [body, headers] = modern('tools/list');
    const bytes = requestBytes('POST /mcp', bed.port, {
      body,
      headers: { ...headers, ...goodHeaders(bed.port), Connection: 'keep-alive' },
    });
    for (let count = 0; count < 200; count += 1) socket.write(bytes);
    await othersAreServed();
    socket.destroy();
  });
});
