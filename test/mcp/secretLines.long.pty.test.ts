import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newKeyPair } from '../support/newKeyPair.ts';
import { call } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const { privateKey } = newKeyPair();
const KEY = privateKey.trim().split('\n');
const BODY = KEY.slice(1, -1);
/** Pieces of the key; a match of 12 characters cannot be an accident. */
const PIECES = BODY.flatMap((line) => line.match(/.{12}/g) ?? []);

const served = new ServedMcp();
let mcp: Awaited<ReturnType<ServedMcp['start']>>['mcp'];
let id: string;
let block_id: string;
let start: string;

beforeAll(async () => {
  const started = await served.start({ cols: 80, rows: 24 });
  ({ mcp, id } = started);
  const file = join(served.app.home, 'key.pem');
  writeFileSync(file, privateKey);
  start = (await call(mcp.client, 'pty_stream_since', { pty_id: id, cursor_only: true })).cursor;
  await runIn(started.link.api, id, `seq 300; cat ${file}; echo 'all told'`);
  ({ block_id } = (await call(mcp.client, 'blocks_since', { limit: 1 })).blocks[0]);
  // until the index has it
  await vi.waitFor(
    async () =>
      expect((await call(mcp.client, 'blocks_search', { query: 'all told', scope: 'output' })).matches).toHaveLength(1),
    15_000,
  );
}, 60_000);
afterAll(() => served.dispose());

/** Calls a tool and expects no piece of the key in the answer's text and structure; returns the answer. */
async function told(name: string, args: Record<string, unknown>) {
  const { content, structuredContent } = await mcp.client.callTool({ name, arguments: args });
  const all = JSON.stringify([content, structuredContent]);
  expect(PIECES.filter((piece) => all.includes(piece))).toEqual([]);
  return structuredContent as Record<string, unknown>;
}

const inKey = 300 + Math.floor(KEY.length / 2);

test.each([
  ['blocks_since', () => ({ pty_id: id, preview_lines: 5 })],
  ['blocks_since', () => ({ pty_id: id, preview_lines: 40 })],
  ['blocks_get', () => ({ block_id })],
  ['blocks_read', () => ({ block_id, from_line: inKey })],
  ['blocks_read', () => ({ block_id, from_line: inKey, to_line: inKey })],
  ['blocks_read', () => ({ block_id, ranges: [3, 9].map((n) => ({ from_line: inKey + n, to_line: inKey + n + 1 })) })],
  ['blocks_read', () => ({ block_id, from_line: 300 + KEY.length - 2 })],
  ['blocks_read', () => ({ block_id, tail: 10 })],
  ['blocks_read', () => ({ block_id, tail: 10, view: 'plain' })],
  ['blocks_read', () => ({ block_id, head: 310 })],
  ['blocks_read', () => ({ block_id, grep: 'all told', context: 6 })],
  ['blocks_read', () => ({ block_id, grep: '^300$', context: 20 })],
  ['blocks_search', () => ({ query: 'all told', block_id, context: 5 })],
  ['blocks_search', () => ({ query: '^all told$', regex: true, context: 5 })],
  ['blocks_search', () => ({ query: 'all told', context: 5, scope: 'output' })],
])('%s %#: no line of a key is told, and that one was taken out is', async (name, args) => {
  expect((await told(name, args())).redactions).toBeGreaterThanOrEqual(1);
});

test.each([
  ['a piece of a line', (line: string) => line.slice(10, 22)],
  ['the start of a line', (line: string) => line.slice(0, 8)],
  ['a line', (line: string) => line],
])('%s of a key is found by nobody, and a wrong guess is answered like a right one', async (_, pieceOf) => {
  const right = pieceOf(BODY[3] as string).replace(/[+/]/g, '.');
  const wrong = right.replace(/[A-Za-z]/, (letter) => (letter === 'Q' ? 'q' : 'Q'));
  const ways = [
    (query: string) => ['blocks_search', { block_id, query, regex: true }],
    (query: string) => ['blocks_search', { pty_id: id, query, regex: true, scope: 'output' }],
    (query: string) => ['blocks_search', { pty_id: id, query, scope: 'output', limit: 1 }],
    (query: string) => ['blocks_search', { pty_id: id, query: `told ${query}`, scope: 'output', limit: 1 }],
    (query: string) => ['blocks_read', { block_id, grep: query }],
    (query: string) => ['blocks_read', { block_id, grep: `^300$(?=\\n.*${query})|${query}` }],
    (query: string) => ['pty_stream_since', { pty_id: id, cursor: start, search: query, max_chars: 200 }],
  ] as const;
  for (const way of ways) {
    const [of, other] = await Promise.all(
      [right, wrong].map(async (query) => {
        const [name, args] = way(query) as [string, Record<string, unknown>];
        const { ts: _, text: __, ...facts } = await told(name, args);
        return facts;
      }),
    );
    expect(of).toEqual(other);
    expect(of?.matches ?? of?.match ?? []).toSatisfy((found) => found === 0 || (found as unknown[]).length === 0);
  }
});

test.each([200, 333, 5000])('a stream of pages of %i characters begins and ends within it', async (max_chars) => {
  let cursor = start;
  let text = '';
  let redactions = 0;
  for (;;) {
    const page = await told('pty_stream_since', { pty_id: id, cursor, max_chars });
    text += String(page.text).split('\n').slice(1, -1).join('\n');
    redactions += Number(page.redactions ?? 0);
    cursor = String(page.resume_cursor);
    if (page.at_end) break;
  }
  expect(text).toContain('all told');
  expect(PIECES.filter((piece) => text.includes(piece))).toEqual([]);
  expect(redactions).toBeGreaterThanOrEqual(1);
});
