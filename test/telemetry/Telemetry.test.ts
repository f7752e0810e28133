import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { soon } from '../support/soon.ts';
import { OpenedTelemetry } from './support/OpenedTelemetry.ts';
import { Receiver, refuse } from './support/Receiver.ts';
import { Talk } from './support/talks.ts';

let receiver: Receiver;
let opened: OpenedTelemetry;
const on = (more: object = {}) => ({ 'telemetry.enabled': true, 'telemetry.endpoint': receiver.origin, ...more });
const names = () => receiver.spans.map(({ name }) => name);

beforeEach(async () => {
  receiver = await Receiver.start();
  opened = await OpenedTelemetry.open();
});
afterEach(async () => {
  await opened.dispose();
  await receiver.stop();
});

describe('telemetry that is off', () => {
  test('sends nothing, reads nothing and makes no file', async () => {
    await opened.set({ 'telemetry.endpoint': receiver.origin });
    opened.write(new Talk(opened.nowMs).turn('a', 'b'));
    await opened.settle();
    expect(receiver.got).toEqual([]);
    expect(existsSync(join(opened.dataFolder, 'telemetry'))).toBe(false);
  });

  test('ends the request that is under way at once, keeps what waits, and deletes it when asked', async () => {
    receiver.behave = () => undefined; // never answers
    await opened.set(on());
    opened.write(new Talk(opened.nowMs).turn('a', 'b'));
    await opened.settle();
    await soon(() => receiver.got.length).toBe(1);
    await opened.set({ 'telemetry.enabled': false });
    receiver.behave = refuse(200);
    opened.write(new Talk(opened.nowMs, { terminalId: 't2', conversationId: 'c2' }).turn('a', 'b'));
    await opened.settle(120_000);
    expect(receiver.got).toHaveLength(1);
    expect(opened.telemetry.status.queue.turns).toBe(1);
    expect(await opened.telemetry.clear()).toBe(1);
    expect(opened.telemetry.status.queue.turns).toBe(0);
  });
});

describe('telemetry that is on', () => {
  test('posts a turn that ended, with its headers, encoding and resource, and no text', async () => {
    await opened.telemetry.setHeader('Authorization', 'Bearer abcdefg');
    await opened.set(on());
    opened.write(new Talk(opened.nowMs).turn('the prompt', 'the answer'));
    await opened.settle();
    await soon(() => names()).toEqual(['invoke_agent Claude Code', 'execute_tool Bash']);
    const [got] = receiver.got;
    expect(got?.path).toBe('/v1/traces');
    expect(got?.headers).toMatchObject({
      authorization: 'Bearer abcdefg',
      'content-type': 'application/x-protobuf',
      'user-agent': 'Hansard/9.9.9',
    });
    expect(got?.spans?.[0]?.resource).toEqual({
      'service.name': 'hansard',
      'service.version': '9.9.9',
      'service.instance.id': expect.stringMatching(/^\d{32}$/),
    });
    expect(got?.body.toString('latin1')).not.toMatch(/the prompt|the answer/);
    await soon(() => opened.telemetry.status).toMatchObject({ sentSpans: 2, queue: { turns: 0 }, lastError: null });
  });

  test('posts texts, JSON and the host where settings say so', async () => {
    await opened.set(
      on({
        'telemetry.content': true,
        'telemetry.encoding': 'json',
        'telemetry.hostName': true,
        'telemetry.serviceName': 'team-a',
      }),
    );
    opened.write(new Talk(opened.nowMs).turn('the prompt', 'the answer'));
    await opened.settle();
    await soon(() => names()).toHaveLength(2);
    const [own] = receiver.spans;
    expect(own?.resource).toMatchObject({ 'service.name': 'team-a', 'host.name': 'ada-laptop' });
    expect(own?.attributes['gen_ai.input.messages']).toContain('the prompt');
    expect(own?.attributes['gen_ai.output.messages']).toContain('the answer');
  });

  test.each(['protobuf', 'json'] as const)(
    'posts the tokens of a turn as counts of the conventions (%s)',
    async (encoding) => {
      await opened.set(on({ 'telemetry.encoding': encoding }));
      const talk = new Talk(opened.nowMs).turn('the prompt', 'the answer');
      const turnId = talk.lines[1]?.id ?? '';
      const counts = { input: 5_000_000_000, output: 80, cacheRead: 0 };
      talk.event({ type: 'usageChanged', usage: { turnId, input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } });
      opened.write(talk.event({ type: 'usageChanged', usage: { turnId, ...counts, cacheWrite: null } }));
      opened.write(
        new Talk(opened.nowMs, { terminalId: 'private', conversationId: 'c9' })
          .turn('x', 'y')
          .event({ type: 'usageChanged', usage: { turnId: 'c9-m1', ...counts, cacheWrite: 1 } }),
      );
      opened.privateIds.add('private');
      await opened.settle();
      await soon(() => names()).toHaveLength(2);
      const [own, tool] = receiver.spans;
      const usageOf = (attributes: object) =>
        Object.fromEntries(Object.entries(attributes).filter(([name]) => name.startsWith('gen_ai.usage')));
      expect(usageOf(own?.attributes ?? {})).toEqual({
        'gen_ai.usage.input_tokens': 5_000_000_000,
        'gen_ai.usage.output_tokens': 80,
        'gen_ai.usage.cache_read.input_tokens': 0,
      });
      expect(usageOf(tool?.attributes ?? {})).toEqual({});
    },
  );

  test('strips texts that were queued before content was turned off', async () => {
    receiver.behave = refuse(503);
    await opened.set(on({ 'telemetry.content': true }));
    opened.write(new Talk(opened.nowMs).turn('the prompt', 'the answer'));
    await opened.settle();
    await soon(() => opened.telemetry.status.queue.turns).toBe(1);
    await soon(() => receiver.got.length).toBeGreaterThan(0); // with the texts, and refused
    receiver.got.length = 0;
    receiver.behave = refuse(200);
    await opened.set({ 'telemetry.content': false });
    await soon(() => receiver.got.length).toBeGreaterThan(0);
    expect(receiver.got.map(({ body }) => body.toString('latin1')).join('')).not.toMatch(/the prompt|the answer/);
  });

  test('sends only what ended since it is on', async () => {
    const talk = new Talk(opened.nowMs - 3_600_000).turn('before', 'b');
    opened.write(talk);
    await opened.set(on());
    await opened.settle();
    opened.write(new Talk(opened.nowMs, { terminalId: 't2', conversationId: 'c2' }).turn('after', 'b'));
    await opened.settle();
    await soon(() => receiver.spans.length).toBe(2);
    expect(receiver.spans[0]?.attributes['gen_ai.conversation.id']).toBe('c2');
  });

  test('waits while a turn goes on, and sends a turn that went on after all once more, with the same ids', async () => {
    await opened.set(on());
    const talk = new Talk(opened.nowMs).say('user', 'a').state('working').tool({ name: 'Bash' });
    opened.write(talk);
    await opened.settle(60_000);
    expect(receiver.got).toEqual([]);
    opened.write(talk.say('model', 'b').state('idle'));
    await opened.settle();
    await soon(() => receiver.spans.length).toBe(2);
    opened.write(talk.say('model', 'one more thing').state('idle'));
    await opened.settle();
    await soon(() => receiver.spans.length).toBe(4);
    const ids = receiver.spans.map(({ spanId }) => spanId);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    await opened.settle(60_000);
    expect(receiver.spans).toHaveLength(4);
  });

  test('sends nothing of a private terminal, also not once it is shown', async () => {
    await opened.set(on());
    opened.privateIds.add('t1');
    const talk = new Talk(opened.nowMs).turn('a', 'b');
    opened.write(talk);
    await opened.settle();
    await soon(() => readFileSync(join(opened.dataFolder, 'telemetry', 'state.json'), 'utf8')).toContain('t1/c1');
    opened.privateIds.clear();
    opened.write(talk.turn('c', 'd'));
    await opened.settle();
    await soon(() => names()).toHaveLength(2);
    await opened.settle(60_000);
    expect(names()).toHaveLength(2);
  });

  test('sends nothing of a conversation that was held in a private folder', async () => {
    await opened.set(on());
    opened.privateFolders.add('/secret');
    const held = new Talk(opened.nowMs).event({ type: 'cli:newSession', agent: 'claude', cwd: '/secret' });
    opened.write(held.turn('a', 'b'));
    opened.write(new Talk(opened.nowMs, { terminalId: 't2', conversationId: 'c2' }).turn('c', 'd'));
    await opened.settle();
    await soon(() => names()).toHaveLength(2);
    await opened.settle(60_000);
    expect(names()).toHaveLength(2);
  });

  test('sends after a restart what waited and what ended meanwhile, and nothing twice', async () => {
    receiver.behave = refuse(503);
    await opened.set(on());
    const talk = new Talk(opened.nowMs).turn('a', 'b');
    opened.write(talk);
    await opened.settle();
    await soon(() => opened.telemetry.status.queue.turns).toBe(1);
    await soon(() => receiver.got.length).toBeGreaterThan(0); // and refused
    await opened.telemetry.stop();
    opened.write(talk.turn('c', 'd').event({ type: 'cli:exit' }));
    receiver.got.length = 0;
    receiver.behave = refuse(200);
    await opened.start();
    await soon(() => receiver.spans.length).toBe(4);
    await opened.restart();
    await opened.settle();
    expect(new Set(receiver.spans.map(({ spanId }) => spanId)).size).toBe(4);
    expect(receiver.spans).toHaveLength(4);
  });

  test('without a usable endpoint queues, says why in its status, and sends once it has one', async () => {
    await opened.set({ 'telemetry.enabled': true, 'telemetry.endpoint': 'http://collector.example:4318' });
    opened.write(new Talk(opened.nowMs).turn('a', 'b'));
    await opened.settle();
    await soon(() => opened.telemetry.status).toMatchObject({ url: null, queue: { turns: 1 } });
    expect(opened.telemetry.status.fault).toContain('not encrypted');
    await opened.set({ 'telemetry.endpoint': receiver.origin });
    await soon(() => names()).toHaveLength(2);
  });
});

describe('the past', () => {
  test('is sent when asked: what ended since then, also what was sent, and not what is private', async () => {
    const old = new Talk(opened.nowMs - 10_000_000).turn('a', 'b');
    opened.write(old);
    opened.write(
      new Talk(opened.nowMs - 5_000_000, { terminalId: 't2', conversationId: 'c2' }).turn('a', 'b').turn('c', 'd'),
    );
    opened.write(new Talk(opened.nowMs - 5_000_000, { terminalId: 't3', conversationId: 'c3' }).turn('a', 'b'));
    opened.privateIds.add('t3');
    await expect(opened.telemetry.send(0)).rejects.toThrow('Telemetry is off');
    await opened.set(on());
    expect(await opened.telemetry.send(opened.nowMs - 6_000_000)).toEqual({ conversations: 1, turns: 2, leftMs: null });
    await soon(() => receiver.spans.length).toBe(4);
    expect(new Set(receiver.spans.map(({ attributes }) => attributes['gen_ai.conversation.id'] ?? ''))).toEqual(
      new Set(['c2', '']),
    );
    expect(await opened.telemetry.send(0)).toEqual({ conversations: 2, turns: 3, leftMs: null });
  });

  test('never drops what waits: it stops where the queue is full and says from when to go on', async () => {
    receiver.behave = refuse(503);
    await opened.set(on({ 'telemetry.queueBytes': 1024 ** 2 }));
    const talk = new Talk(opened.nowMs - 5_000_000);
    for (let at = 0; at < 400; at += 1) talk.turn('a', 'b');
    opened.write(talk.event({ type: 'cli:exit' }));
    const first = await opened.telemetry.send(0);
    expect(first.turns).toBe(256);
    expect(first.leftMs).not.toBeNull();
    expect(opened.texts('dropped')).toEqual([]);
    receiver.behave = refuse(200);
    opened.clock.advance(600_000);
    await soon(() => opened.telemetry.status.queue.turns).toBe(0);
    const rest = await opened.telemetry.send(first.leftMs ?? 0);
    expect(rest).toMatchObject({ turns: 144, leftMs: null });
    await soon(() => opened.telemetry.status.queue.turns).toBe(0);
    const own = receiver.spans.filter(({ parentSpanId }) => parentSpanId === '');
    expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(400);
  });
});

describe('a header', () => {
  const SECRET = 'Bearer q7Wv-not-a-known-form-9Zk';

  test('is in its file for the owner alone, and in no status, notice or other file, also when the collector repeats it', async () => {
    receiver.behave = refuse(401, { 'content-type': 'text/plain' }, `unknown key ${SECRET.slice(7)}`);
    expect(await opened.telemetry.setHeader('Authorization', SECRET)).toBeNull();
    await opened.set(on());
    opened.write(new Talk(opened.nowMs).turn('a', 'b'));
    await opened.settle();
    await soon(() => opened.telemetry.status.isPaused).toBe(true);
    const answer = await opened.telemetry.test();
    const shown = JSON.stringify([opened.telemetry.status, opened.raised, answer]);
    expect(shown).not.toContain(SECRET.slice(7));
    expect(shown).toContain('[redacted: header]');
    const folder = join(opened.dataFolder, 'telemetry');
    expect(statSync(join(folder, 'headers.json')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const others = readdirSync(opened.dataFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'headers.json')
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(others.join('\n')).not.toContain(SECRET.slice(7));
  });

  test('is kept over a restart, replaced whatever its case, and removed', async () => {
    await opened.telemetry.setHeader('X-Key', 'one');
    await opened.telemetry.setHeader('x-key', 'two');
    await opened.restart();
    expect(opened.telemetry.status.headers).toEqual(['x-key']);
    expect(await opened.telemetry.removeHeader('X-KEY')).toBe(true);
    expect(await opened.telemetry.removeHeader('X-KEY')).toBe(false);
    expect(opened.telemetry.status.headers).toEqual([]);
  });

  test('that is refused is not kept, and the reason has not its value', async () => {
    expect(await opened.telemetry.setHeader('X-Key', 'secret\nvalue')).not.toContain('secret');
    expect(opened.telemetry.status.headers).toEqual([]);
  });
});

describe('a test', () => {
  test('sends one span, also while telemetry is off, and gives the answer', async () => {
    await opened.set({ 'telemetry.endpoint': receiver.origin });
    expect(await opened.telemetry.test()).toMatchObject({ ok: true, answer: '200' });
    expect(names()).toEqual(['invoke_agent Hansard test']);
  });

  test.each([
    [refuse(404), '404 Not Found: check the endpoint'],
    [
      refuse(401, { 'content-type': 'application/json' }, '{"message":"no key"}'),
      '401 Unauthorized: check the headers. no key',
    ],
    [
      refuse(302, { location: 'http://127.0.0.1:1/' }),
      '302 a redirect, which is not followed: enter the new address as Endpoint',
    ],
  ])('that is refused says so', async (behave, answer) => {
    receiver.behave = behave;
    await opened.set({ 'telemetry.endpoint': receiver.origin });
    expect(await opened.telemetry.test()).toMatchObject({ ok: false, answer });
  });

  test('of a collector that is not there says so', async () => {
    await opened.set({ 'telemetry.endpoint': receiver.origin });
    await receiver.stop();
    expect(await opened.telemetry.test()).toMatchObject({ ok: false, answer: 'nothing listens at that address' });
    receiver = await Receiver.start();
  });
});

describe('a data folder in disorder', () => {
  test.each<[string, (folder: string) => void]>([
    ['a file in the place of the folder', (folder) => writeFileSync(folder, 'mine')],
    ['a state that is no JSON', (folder) => put(folder, 'state.json', '{')],
    ['headers that are no headers', (folder) => put(folder, 'headers.json', '{"version":1,"headers":{"a":"x\\ny"}}')],
    ['a folder in the place of a file', (folder) => mkdirSync(join(folder, 'state.json'), { recursive: true })],
    [
      'a folder with the name of a turn',
      (folder) => mkdirSync(join(folder, 'queue', `${'0'.repeat(15)}-${'a'.repeat(32)}.json`), { recursive: true }),
    ],
  ])('with %s does not keep a core from starting, and the person is told what is lost', async (_, spoil) => {
    await opened.telemetry.stop();
    rmSync(join(opened.dataFolder, 'telemetry'), { recursive: true, force: true });
    spoil(join(opened.dataFolder, 'telemetry'));
    await opened.start();
    await opened.settings.update(on());
    await soon(() => opened.telemetry.status.sinceMs !== null || opened.raised.length > 0).toBe(true);
    opened.write(new Talk(opened.nowMs).turn('a', 'b'));
    await opened.until(() => opened.raised.length > 0 || receiver.spans.length > 0, true);
  });

  function put(folder: string, name: string, text: string): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
  }
});

test('texts with halves of surrogates, NUL and controls reach the collector', async () => {
  await opened.set(on({ 'telemetry.content': true }));
  opened.write(
    new Talk(opened.nowMs).turn('a\ud800b\0\x1b[31m\udc00', '\u{1f600}\ud83d', { name: '\ud800', input: '\udfff' }),
  );
  await opened.settle();
  await soon(() => names()).toHaveLength(2);
  expect(receiver.spans[0]?.attributes['gen_ai.input.messages']).toContain('b');
  await soon(() => opened.telemetry.status.queue.turns).toBe(0);
});
