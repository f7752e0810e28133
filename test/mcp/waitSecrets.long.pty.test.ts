import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKeyPair } from '../support/newKeyPair.ts';
import { call, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const BODY = newKeyPair().privateKey.trim().split('\n');
const TOKEN = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
const COLS = 80;
const POLICY = {
  version: 1,
  clients: { '*': { scopes: ['input'] } },
  input: { default: 'allow', typing_hold_ms: 1000 },
  limits: { exec_per_min: 600, reads_per_min: 100_000 },
};

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let client: Awaited<ReturnType<ServedMcp['start']>>['mcp']['client'];
let id = '';
/** `seq` of the screen before the secrets, and the cursor after a match above them. */
let before = 0;
let behind = '';

beforeAll(async () => {
  ({
    link,
    id,
    mcp: { client },
  } = await served.start({ cols: COLS, rows: 24 }));
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(POLICY), { mode: 0o600 });
  await runIn(link.api, id, 'true');
  before = (await call(client, 'pty_snapshot', { pty_id: id })).seq;
  // the key's head leaves the screen; its end and the tokens stay
  const wrapped = `${'.'.repeat(COLS - 21)} ${TOKEN} rest`;
  await show(id, [...BODY, 'the ends of it', `one ${TOKEN} word`, wrapped, 'password=hunter2hunter2 said']);
  const found = await wait({ search: 'the ends', wait_ms: 5000 });
  behind = found.match.resume_cursor;
}, 60_000);
afterAll(() => served.dispose());

async function show(pty: string, lines: readonly string[]): Promise<void> {
  writeFileSync(join(served.app.home, 'shown'), `${lines.join('\n')}\n`);
  await runIn(link.api, pty, `cat ${join(served.app.home, 'shown')}`);
}

const wait = (args: object) => call(client, 'pty_snapshot_wait', { pty_id: id, wait_ms: 0, ...args });

/** A wait's answer without the fields that change with time. */
async function told(args: object): Promise<unknown> {
  const result = await client.callTool({
    name: 'pty_snapshot_wait',
    arguments: { pty_id: id, wait_ms: 0, ...args },
  });
  const { code, outcome, match } = result.structuredContent as Record<string, unknown>;
  return { code, outcome, match };
}

const escaped = (text: string) => text.replace(/[+/=.]/g, '\\$&');
const keyLine = BODY.at(-4) ?? '';
const otherCase = (text: string) => text.replace(/[a-z]/i, (char) => (char === 'x' ? 'y' : 'x'));

/** Pairs of patterns: one with a piece of the secret, one with a wrong piece. */
const GUESSES: readonly (readonly [string, string, string])[] = [
  ['the start of a token', 'ghp_a1', 'ghp_b1'],
  ['its last characters', 'q7R8', 'q7R9'],
  ['what is before it and its first', 'one ghp_a', 'one ghp_b'],
  ['what is behind it and its last', '8 word', '9 word'],
  ['a token over two rows, at the border', `\\. ${TOKEN.slice(0, 24)}`, `\\. ${otherCase(TOKEN.slice(0, 24))}`],
  ['its second row', `^${TOKEN.slice(20)} rest|${TOKEN.slice(18)} rest`, `^x${TOKEN.slice(21)} rest`],
  ['a look ahead', 'one (?=ghp_a)', 'one (?=ghp_b)'],
  ['a look ahead for what is not', 'one (?!ghp_a)', 'one (?!ghp_b)'],
  ['a look behind', '(?<=R8) word', '(?<=R9) word'],
  ['its length', 'one \\S{40} word', 'one \\S{41} word'],
  ['a class of characters', 'one [f-h]\\S+ word', 'one [i-k]\\S+ word'],
  ['work that only the right one makes', 'ghp_a1(\\w+)+!', 'ghp_b1(\\w+)+!'],
  ["a key's line, its head above the screen", escaped(keyLine.slice(0, 20)), escaped(otherCase(keyLine.slice(0, 20)))],
  [
    'over two of its lines',
    `${escaped(keyLine.slice(-6))}\\n\\S{4}`,
    `${escaped(otherCase(keyLine.slice(-6)))}\\n\\S{4}`,
  ],
  ['a password by its name', 'password=hunt', 'password=hunx'],
];

describe.each(GUESSES)('%s', (_, right, wrong) => {
  test.each([
    ['search', (search: string) => ({ search })],
    ['search in new output', (search: string) => ({ search, search_scope: 'new_output', after_seq: before })],
    ['search in the scrollback', (search: string) => ({ search, search_scope: 'scrollback' })],
    ['search behind a match', (search: string) => ({ search, resume_cursor: behind })],
    ['search_absent', (search_absent: string) => ({ search_absent })],
    ['both', (pattern: string) => ({ search: pattern, search_absent: pattern, mode: 'all' })],
    ['search that takes any case', (search: string) => ({ search, search_flags: 'i' })],
  ])('%s tells no right guess from a wrong one', async (_, args) => {
    expect(await told(args(right))).toEqual(await told(args(wrong)));
  });
});

test('what is covered is not there: no match, and absent', async () => {
  expect(await wait({ search: 'ghp_' })).toMatchObject({ outcome: 'deadline' });
  expect(await wait({ search: 'ghp_', search_scope: 'scrollback' })).toMatchObject({ outcome: 'deadline' });
  expect(await wait({ search_absent: 'ghp_' })).toMatchObject({ outcome: 'absent' });
  expect(await wait({ search_absent: 'one \\S+ word' })).toMatchObject({ outcome: 'deadline' });
});

test('what is told in its place can be waited for, as it stands in the answer', async () => {
  const { match, seq, text } = await wait({ search: 'one (\\[redacted\\]) (word)' });
  const row = text.split('\n').findIndex((line: string) => line.startsWith('one [redacted] word')) - 1;
  expect(match).toEqual({
    text: 'one [redacted] word',
    groups: ['[redacted]', 'word'],
    row,
    col: 0,
    resume_cursor: expect.stringMatching(new RegExp(`^${seq}\\.${row}\\.${4 + TOKEN.length + 5}\\.`)),
  });
  const over = await wait({ search: '\\. (\\S+) rest' });
  expect(over.match).toMatchObject({ text: '. [redacted][redacted] rest', groups: ['[redacted][redacted]'] });
});

test('a match beside a secret has its place, and what is behind it is found from there', async () => {
  const word = await wait({ search: '(w)ord' });
  expect(word.match).toMatchObject({ text: 'word', groups: ['w'], col: 4 + TOKEN.length + 1 });
  const next = await wait({ search: 'word|rest', resume_cursor: word.match.resume_cursor });
  expect(next.match).toMatchObject({ text: 'rest', row: word.match.row + 2, col: 21 });
});

test('if_screen_matches sends for no right guess what it does not send for a wrong one', async () => {
  const { id: own } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: COLS, rows: 24 });
  await runIn(link.api, own, 'true');
  await show(own, [
    ...BODY,
    `one ${TOKEN} word`,
    `${'.'.repeat(COLS - 21)} ${TOKEN} rest`,
    'password=hunter2hunter2 x',
  ]);
  const { lease } = await call(client, 'pty_control', { action: 'request', pty_id: own, reason: 'to type' });
  const send = async (if_screen_matches: string) => {
    const typed = { pty_id: own, lease_id: lease.lease_id, text: 'x', if_screen_matches };
    const { isError, structuredContent } = await client.callTool({ name: 'pty_send', arguments: typed });
    return isError ? (structuredContent as { code: string }).code : 'sent';
  };
  for (const [what, right, wrong] of GUESSES) expect(await send(right), what).toBe(await send(wrong));
  expect(await send('one \\[redacted\\] word')).toBe('sent');
  expect(await send('ghp_')).toBe('SEQ_MISMATCH');
});

test('a watch comes about for no right guess where it does not for a wrong one', async () => {
  const { id: own } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: COLS, rows: 24 });
  await runIn(link.api, own, 'true');
  const patterns = [
    `one ${TOKEN.slice(0, 5)}`,
    'one ghp_b',
    `rest ${TOKEN.slice(0, 24)}`,
    escaped(keyLine.slice(0, 16)),
  ];
  for (const search of patterns) await call(client, 'pty_notify', { pty_id: own, search });
  await call(client, 'pty_notify', { pty_id: own, search: 'one \\S+ (told)' });
  await show(own, [...BODY, `one ${TOKEN} told`, `${'.'.repeat(COLS - 25)} rest ${TOKEN}`]);
  const open = async () => (await call(client, 'pty_notify', { action: 'list' })).watches.length;
  await expect.poll(open, { interval: 100 }).toBe(patterns.length);
  const { contents } = await client.readResource({ uri: 'term://inbox/test-client' });
  expect(JSON.stringify(contents)).toContain('one [redacted] told');
  // right and wrong guesses are absent at once, because covered text does not count as on the screen
  for (const search_absent of patterns) await call(client, 'pty_notify', { pty_id: own, search_absent });
  await expect.poll(open, { interval: 100 }).toBe(patterns.length);
  expect(await refusal(client, 'pty_notify', { pty_id: own, search: '(' })).toMatchObject({ code: 'BAD_REGEX' });
});

test("a frame's hash tells that two are equal, and is not that of a text which can be tried out", async () => {
  const hash = async (): Promise<string> => (await call(client, 'pty_snapshot', { pty_id: id })).hash;
  const own = await link.api.screen.read.query({ terminalId: id });
  expect(await hash()).toMatch(/^[0-9a-f]{16}$/);
  expect(await hash()).toBe(await hash());
  expect(await hash()).not.toBe(own.hash);
});
