import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { judgeAnswer } from '../../src-main/telemetry/judgeAnswer.ts';
import { postSpans } from '../../src-main/telemetry/postSpans.ts';
import { soon } from '../support/soon.ts';
import { OpenedTelemetry } from './support/OpenedTelemetry.ts';
import { encodeResponse } from './support/otlpSchema.ts';
import { accept, type Behaviour, Receiver, refuse } from './support/Receiver.ts';
import { Talk } from './support/talks.ts';

const LONGEST_WAIT_MS = 300_000;
let receiver: Receiver;
let opened: OpenedTelemetry;

beforeEach(async () => {
  receiver = await Receiver.start();
  opened = await OpenedTelemetry.open({ 'telemetry.enabled': true, 'telemetry.endpoint': receiver.origin });
});
afterEach(async () => {
  await opened.dispose();
  await receiver.stop();
});

/** Queues `count` turns, each in its own conversation, before any is sent. */
async function queueTurns(count: number, answer = 'b'): Promise<void> {
  const wanted = receiver.behave;
  receiver.behave = refuse(503);
  for (let at = 0; at < count; at += 1) {
    const ids = { terminalId: `t${at}`, conversationId: `c${at}` };
    opened.write(new Talk(opened.nowMs, ids).turn('a', at === 3 ? answer : 'b'));
  }
  await opened.until(() => opened.telemetry.status.queue.turns, count);
  await soon(() => opened.telemetry.status.nextTryMs).not.toBeNull();
  receiver.got.length = 0;
  receiver.behave = wanted;
}

const conversations = () =>
  receiver.spans.flatMap(({ attributes }) => attributes['gen_ai.conversation.id'] ?? []).sort();
const status = () => opened.telemetry.status;

describe('a collector that asks to wait', () => {
  test.each([429, 502, 503, 504])('with %i and Retry-After is left alone for that long', async (code) => {
    receiver.behave = refuse(code, { 'retry-after': '600' });
    await queueTurns(1);
    opened.clock.advance(LONGEST_WAIT_MS);
    await soon(() => receiver.got.length).toBe(1);
    await soon(() => (status().nextTryMs ?? 0) - opened.nowMs).toBeGreaterThanOrEqual(600_000);
    receiver.behave = accept;
    opened.clock.advance(599_000);
    expect(receiver.got).toHaveLength(1);
    opened.clock.advance(2_000);
    await soon(() => conversations()).toContain('c0');
    await soon(status).toMatchObject({ queue: { turns: 0 }, nextTryMs: null });
  });

  test('is asked less and less often, never more than five minutes apart, and reported once', async () => {
    receiver.behave = refuse(503);
    await queueTurns(1);
    const waits: number[] = [];
    for (let at = 0; at < 15; at += 1) {
      const before = receiver.got.length;
      const nextMs = status().nextTryMs ?? 0;
      waits.push(nextMs - opened.nowMs);
      opened.clock.advance(nextMs - opened.nowMs);
      await soon(() => receiver.got.length).toBe(before + 1);
      await soon(() => status().nextTryMs).not.toBeNull();
    }
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(LONGEST_WAIT_MS);
      // The wait doubles, and jitter shortens each wait by up to a half.
      expect(wait).toBeLessThanOrEqual(4 * (waits[at - 1] ?? LONGEST_WAIT_MS) + 2);
    }
    expect(Math.min(...waits.slice(-5))).toBeGreaterThanOrEqual(LONGEST_WAIT_MS / 2);
    expect(opened.texts('failed')).toHaveLength(1);
    expect(opened.notices.current.map(({ key }) => key)).toEqual(['telemetry/failed']);
    receiver.behave = accept;
    opened.clock.advance(LONGEST_WAIT_MS);
    await soon(() => opened.notices.current).toEqual([]);
  });
});

describe('a collector that refuses', () => {
  test.each([
    ['413', 413],
    ['400', 400],
  ])('one turn among many with %s gets the others, and that one is dropped and reported', async (_, code) => {
    receiver.behave = (response, got) => {
      const isBad = got.spans?.some(({ attributes }) => attributes['gen_ai.conversation.id'] === 'c3');
      (isBad ? refuse(code) : accept)(response, got);
    };
    await queueTurns(9);
    const taken = new Set<string>();
    const judge = receiver.behave;
    receiver.behave = (response, got) => {
      judge(response, got);
      const isTaken = response.statusCode === 200;
      for (const { attributes } of isTaken ? (got.spans ?? []) : [])
        taken.add(String(attributes['gen_ai.conversation.id'] ?? ''));
    };
    opened.clock.advance(LONGEST_WAIT_MS);
    await soon(status).toMatchObject({ queue: { turns: 0 }, droppedTurns: 1, isPaused: false });
    taken.delete('');
    expect([...taken].sort()).toEqual(['c0', 'c1', 'c2', 'c4', 'c5', 'c6', 'c7', 'c8']);
    expect(opened.texts('dropped').at(-1)).toContain(`1 because the collector refused them (${code}`);
  });

  test.each([401, 403, 404, 405, 500, 501])(
    'everything with %i is asked once and told once; what waits is kept',
    async (code) => {
      receiver.behave = refuse(code);
      await queueTurns(2);
      opened.clock.advance(3_600_000);
      await soon(() => status().isPaused).toBe(true);
      opened.write(new Talk(opened.nowMs, { terminalId: 't9', conversationId: 'c9' }).turn('a', 'b'));
      await opened.settle(600_000);
      await soon(() => status().queue.turns).toBe(3);
      expect(receiver.got).toHaveLength(1);
      expect(opened.texts('paused')).toHaveLength(1);
      expect(opened.texts('paused')[0]).toContain(String(code));
    },
  );

  test.each<[string, () => Promise<unknown>]>([
    ['a header is set', () => opened.telemetry.setHeader('Authorization', 'Bearer abc')],
    ['a setting is changed', () => opened.set({ 'telemetry.encoding': 'json' })],
    ['a test succeeds', () => opened.telemetry.test()],
  ])('is asked again when %s', async (_, change) => {
    receiver.behave = refuse(401);
    await queueTurns(1);
    opened.clock.advance(LONGEST_WAIT_MS);
    await soon(() => status().isPaused).toBe(true);
    receiver.behave = accept;
    await change();
    await soon(status).toMatchObject({ queue: { turns: 0 }, isPaused: false });
    expect(opened.notices.current).toEqual([]);
  });

  test('with a redirect is not followed', async () => {
    const elsewhere = await Receiver.start();
    receiver.behave = refuse(307, { location: `${elsewhere.origin}/v1/traces` });
    await queueTurns(1);
    opened.clock.advance(LONGEST_WAIT_MS);
    await soon(() => status().isPaused).toBe(true);
    expect(elsewhere.got).toEqual([]);
    await elsewhere.stop();
  });
});

describe('a collector that accepts', () => {
  test('a part is believed: rejected spans are counted, shown and not sent again', async () => {
    receiver.behave = (response) => {
      response.setHeader('content-type', 'application/x-protobuf');
      response.end(encodeResponse({ rejectedSpans: 1, errorMessage: 'too \x1b[31mold' }));
    };
    await queueTurns(2);
    opened.clock.advance(LONGEST_WAIT_MS);
    await soon(status).toMatchObject({ queue: { turns: 0 }, sentSpans: 3, rejectedSpans: 1 });
    expect(opened.texts('partial')).toEqual(['The telemetry collector rejected 1 spans so far: too \\e[31mold']);
    opened.clock.advance(3_600_000);
    expect(receiver.got).toHaveLength(1);
  });

  test.each<[string, Behaviour]>([
    ['garbage', refuse(200, { 'content-type': 'application/x-protobuf' }, '\xff\xff\xff\xff')],
    ['a page', refuse(200, { 'content-type': 'text/html' }, '<html>'.repeat(50_000))],
    ['nothing', refuse(204)],
  ])('with %s as its answer has taken the spans', async (_, behave) => {
    receiver.behave = behave;
    await queueTurns(1);
    opened.clock.advance(LONGEST_WAIT_MS);
    await soon(status).toMatchObject({ queue: { turns: 0 }, sentSpans: 2, rejectedSpans: 0 });
  });
});

test('a collector that is away for long leaves the queue within its bound, and the person is told how many turns were dropped', async () => {
  await opened.set({ 'telemetry.queueBytes': 1024 ** 2, 'telemetry.content': true });
  receiver.behave = refuse(503);
  const talk = new Talk(opened.nowMs);
  for (let day = 1; day <= 6; day += 1) {
    for (let at = 0; at < 12; at += 1)
      talk.turn('a', 'b'.repeat(15_000), { name: 'Bash', input: 'c'.repeat(15_000), output: 'd'.repeat(10_000) });
    opened.write(talk);
    await opened.until(() => status().queue.turns + status().droppedTurns, day * 12);
    expect(status().queue.bytes).toBeLessThanOrEqual(1024 ** 2);
    opened.clock.advance(86_400_000);
  }
  const { queue, droppedTurns } = status();
  expect(droppedTurns).toBeGreaterThan(50);
  expect(queue.turns).toBe(Math.floor(1024 ** 2 / (queue.bytes / queue.turns)));
  expect(opened.texts('dropped').at(-1)).toBe(`Telemetry dropped turns: ${droppedTurns} because the queue was full.`);
  expect(opened.notices.current.filter(({ key }) => key === 'telemetry/dropped')).toHaveLength(1);
});

describe('one request', () => {
  const post = (url: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
    postSpans({
      ...{ url, headers: {}, body: Buffer.from('x'), contentType: 'application/x-protobuf', userAgent: 'test' },
      ...{ signal: new AbortController().signal, partial: () => null, ...more },
    });

  test('that gets no answer ends in time and is tried again', async () => {
    receiver.behave = () => undefined;
    const answer = await post(receiver.origin, { timeoutMs: 100 });
    expect(answer).toEqual({ kind: 'failed', reason: 'no answer within 0.1 s' });
    expect(judgeAnswer(answer, 0)).toMatchObject({ kind: 'retry' });
  });

  test('whose answer never ends is cut at its limit', async () => {
    let sent = 0;
    receiver.behave = (response) => {
      response.writeHead(200);
      const write = (): void => {
        sent += 16_384;
        if (!response.destroyed && response.write(Buffer.alloc(16_384))) setImmediate(write);
        else response.once('drain', write);
      };
      write();
    };
    expect(await post(receiver.origin)).toMatchObject({ kind: 'http', status: 200 });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('whose answer trickles ends in time', async () => {
    receiver.behave = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
    };
    expect(await post(receiver.origin, { timeoutMs: 150 })).toMatchObject({ kind: 'failed' });
  });

  test('ends at once when sending is turned off', async () => {
    receiver.behave = () => undefined;
    const stopping = new AbortController();
    const answer = post(receiver.origin, { signal: stopping.signal });
    await soon(() => receiver.got.length).toBe(1);
    stopping.abort();
    expect(await answer).toEqual({ kind: 'stopped' });
  });

  test.each([
    ['SSH-2.0-OpenSSH_9.2\r\n', 'the answer is not HTTP'],
    ['', 'the collector closed the connection'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort', 'the collector closed the connection'],
  ])('to something that answers %j fails with words for people', async (bytes, reason) => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const answer = await post(`http://127.0.0.1:${port}`);
    await new Promise((resolve) => server.close(resolve));
    expect(answer).toEqual({ kind: 'failed', reason });
  });
});
