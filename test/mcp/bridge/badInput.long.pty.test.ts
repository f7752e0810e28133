import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMessage } from '../../../src-main/mcp/bridge/messages.ts';
import { LineCutter } from '../../../src-main/mcp/protocol/LineCutter.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { call, INITIALIZE, INITIALIZED, RawBridge, SmallApp } from './bridgeBed.ts';

const home = join(suiteFolder('mcp-bad'), 'home');
let app: SmallApp;
let client: RawBridge;

beforeAll(async () => {
  mkdirSync(home, { mode: 0o700 });
  app = await SmallApp.start(home);
  client = new RawBridge(home);
  for (const message of [INITIALIZE, INITIALIZED]) client.send(message);
  await client.answer('first');
});
afterAll(async () => {
  await client.end();
  await app.end();
});

const MiB = 1024 * 1024;
let round = 0;

describe('a line that is no message is answered, and the next one is served', () => {
  test.each([
    ['half JSON', '{"jsonrpc":"2.0","id":1,"method":"tools/ca\n', null, -32700],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]), null, -32700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', null, -32600],
    ['lists in lists', `{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":${'['.repeat(100_000)}\n`, null, -32600],
    ['an id that is none', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n', null, -32600],
    ['no version', '{"id":3,"method":"ping"}\n', 3, -32600],
    ['a member too many', '{"jsonrpc":"2.0","id":4,"method":"ping","extra":1}\n', 4, -32600],
    ['params that are a list', '{"jsonrpc":"2.0","id":5,"method":"ping","params":[1]}\n', 5, -32600],
    ['_meta that is a number', '{"jsonrpc":"2.0","id":6,"method":"ping","params":{"_meta":1}}\n', 6, -32600],
    ['eleven megabytes', `{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":"${'x'.repeat(11 * MiB)}"}}\n`, 7, -32600],
    [
      'the same, id last',
      `{"method":"x","params":{"a":"${'x'.repeat(11 * MiB)}"},"jsonrpc":"2.0","id":8}\n`,
      8,
      -32600,
    ],
    ['an answer of eleven', `{"jsonrpc":"2.0","id":9,"result":{"a":"${'x'.repeat(11 * MiB)}"}}\n`, null, -32600],
  ])('%s', async (_, line, id, code) => {
    const before = client.messages().length;
    client.send(line);
    const own = `after-${round++}`;
    client.send(call(own, 'echo', { text: 'fine' }));
    expect(await client.answer(own)).toMatchObject({ result: { content: [{ text: 'fine' }] } });
    expect(client.messages().slice(before)[0]).toMatchObject({ id, error: { code } });
  });

  test('whatever JSON it is, a request with an id gets an answer through the real server', async () => {
    const meta = fc.oneof(
      fc.jsonValue(),
      fc.constant({ progressToken: 1 }),
      fc.constant({ 'io.modelcontextprotocol/related-task': {} }),
    );
    const params = fc.oneof(
      fc.jsonValue(),
      fc.record({ name: fc.jsonValue(), _meta: meta }),
      fc.record({ _meta: meta }),
    );
    const method = fc.oneof(
      fc.constantFrom('ping', 'tools/call', 'tools/list', 'resources/read', 'initialize', ''),
      fc.string(),
    );
    const fields = fc.tuple(method, params, fc.option(fc.string()), fc.constantFrom('2.0', '2.0', '2.0', 1));
    await fc.assert(
      fc.asyncProperty(fields, async ([name, content, extra, jsonrpc]) => {
        const id = `any-${round++}`;
        client.send({ jsonrpc, id, method: name, params: content, ...(extra !== null && { [extra]: 1 }) });
        await client.answer(id);
      }),
      fuzzRuns(60),
    );
  });
});

test('ten megabytes go through whole, in both directions at once', async () => {
  const text = 'ä\u{1f980}"\\'.repeat(700_000);
  for (let at = 0; at < 2; at += 1) {
    client.send(call(`up-${at}`, 'digest', { text: `${at}${text}` }));
    client.send(call(`down-${at}`, 'blob', { size: 9 * MiB }));
  }
  for (let at = 0; at < 2; at += 1) {
    const digest = createHash('sha256').update(`${at}${text}`).digest('hex');
    expect(await client.answer(`up-${at}`)).toMatchObject({ result: { content: [{ text: digest }] } });
    const { result } = await client.answer(`down-${at}`);
    expect((result as { content: { text: string }[] }).content[0]?.text).toBe('x'.repeat(9 * MiB));
  }
});

test('a thousand calls that nobody reads meanwhile are all answered, once and in full', async () => {
  client.child.stdout?.pause();
  for (let at = 0; at < 1000; at += 1) client.send(call(`many-${at}`, 'blob', { size: 20_000 }));
  client.child.stdout?.resume();
  await client.until(() =>
    client.messages().filter(({ id }) => String(id).startsWith('many-')).length === 1000 ? true : undefined,
  );
});

describe('lines', () => {
  test('are the same however the bytes are cut', () => {
    const chunks = fc.array(
      fc.uint8Array({ maxLength: 20 }).map((bytes) => bytes.map((byte) => (byte % 5 === 0 ? 0x0a : byte))),
    );
    fc.assert(
      fc.property(chunks, (pieces) => {
        const inPieces = new LineCutter();
        const atOnce = new LineCutter();
        const cut = pieces.flatMap((piece) => inPieces.feed(piece));
        expect([...cut, inPieces.finish()]).toEqual([...atOnce.feed(Buffer.concat(pieces)), atOnce.finish()]);
      }),
    );
  });

  test('no bytes make reading them fail', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readMessage({ type: 'line', bytes: Buffer.from(bytes) }).kind).toBeTypeOf('string');
      }),
    );
  });
});
