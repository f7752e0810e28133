import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKeyPair } from '../support/newKeyPair.ts';
import { type Connected, call, connectClient } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const { privateKey } = newKeyPair();
/** A match of this many consecutive characters of the key cannot be an accident. */
const PIECE = 12;
const BODY = privateKey.trim().split('\n').slice(1, -1);
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let client: Connected['client'];
const clients: Connected[] = [];

beforeAll(async () => {
  const started = await served.start({ cols: 80, rows: 24 });
  link = started.link;
  writeFileSync(join(served.app.home, 'key.pem'), privateKey);
}, 60_000);
afterAll(async () => {
  for (const one of clients) await one.close();
  await served.dispose();
});

/** Pieces of the key's lines and of the token that an answer contains. Pieces are short, because programs wrap lines. */
function leaked(answer: unknown): string[] {
  const text = JSON.stringify(answer);
  const ends = [TOKEN.slice(4, 4 + PIECE), TOKEN.slice(-PIECE)];
  const pieces = BODY.flatMap((line) => line.match(new RegExp(`.{${PIECE}}`, 'g')) ?? []);
  return [...pieces, ...ends].filter((piece) => text.includes(JSON.stringify(piece).slice(1, -1)));
}

/** The deltas of a screen, once they contain redactions: the record is 0.1 s behind. */
async function recorded(id: string): Promise<object> {
  let page: object = {};
  const redactions = async () => {
    const read = await call(client, 'pty_screen_deltas', { pty_id: id, limit: 200 });
    page = read;
    return read.redactions ?? 0;
  };
  await expect.poll(redactions, { interval: 50 }).toBeGreaterThan(0);
  return page;
}

describe.each([80, 60])('a key and a token over two rows, at %i columns', (cols) => {
  let id = '';
  let before = 0;
  const show = (args: object) => call(client, 'pty_snapshot', { pty_id: id, max_chars: 50_000, ...args });

  beforeAll(async () => {
    // a client for each size, because limits of reads count by client
    const own = await connectClient(served.app.home, { name: `reader-${cols}` });
    clients.push(own);
    ({ client } = own);
    ({ id } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols, rows: 70 }));
    await runIn(link.api, id, 'true');
    before = (await show({})).seq;
    await runIn(link.api, id, `cat ${join(served.app.home, 'key.pem')}`);
    writeFileSync(join(served.app.home, 'token'), `${'.'.repeat(cols - 21)} ${TOKEN}\n`);
    await runIn(link.api, id, `cat ${join(served.app.home, 'token')}`);
  }, 60_000);

  test('are in no screen, and it is said that something was taken out', async () => {
    const answer = await show({});
    expect(leaked(answer)).toEqual([]);
    expect(answer.text).toContain('[redacted');
    expect(answer.redactions).toBeGreaterThanOrEqual(2);
  });

  test('are in no difference: its rows are looked at where they stand', async () => {
    const { seq } = await show({});
    const whole = await show({ since: before });
    expect(leaked(whole)).toEqual([]);
    // draws a line of the key again, in the same or another row
    writeFileSync(join(served.app.home, 'line'), `\x1b7\x1b[15;1H${BODY[9]}\x1b8`);
    await runIn(link.api, id, `cat ${join(served.app.home, 'line')}`);
    const answer = await show({ since: seq });
    expect(answer.full).toBe(false);
    expect(leaked(answer)).toEqual([]);
    expect(answer.redactions).toBeGreaterThan(0);
  });

  test('are in no region, and in no part that max_chars leaves', async () => {
    expect(leaked(await show({ region: { top: 6, left: 0, bottom: 12, right: 40 } }))).toEqual([]);
    expect(leaked(await show({ max_chars: 600 }))).toEqual([]);
  });

  test('are in no recorded change, wherever a page begins', async () => {
    await recorded(id);
    const pages = await Promise.all(
      Array.from({ length: 3 }, async (_, n) => {
        let cursor = 0;
        for (let page = 0; page < n; page += 1)
          cursor = (await call(client, 'pty_screen_deltas', { pty_id: id, cursor, limit: 1 })).resume_cursor;
        return call(client, 'pty_screen_deltas', { pty_id: id, cursor, limit: 200 });
      }),
    );
    expect(leaked(pages)).toEqual([]);
    expect(pages[0]?.redactions).toBeGreaterThan(0);
  });

  test.each([
    ['a line of it', '[A-Za-z0-9+/]{30,}', {}],
    ['groups', 'BEGIN PRIVATE KEY-+\\n(\\S)(\\S{8})', {}],
    ['groups that look ahead', 'BEGIN(?=[\\s\\S]*?\\n(\\S{20}))', {}],
    ['the token', 'ghp_\\w+', {}],
    ['in the scrollback', '[A-Za-z0-9+/]{30,}', { search_scope: 'scrollback' }],
  ])('are not matched: %s', async (_, search, more) => {
    const answer = await call(client, 'pty_snapshot_wait', { pty_id: id, search, wait_ms: 0, ...more });
    expect(answer).toMatchObject({ outcome: 'deadline' });
    expect(answer.match).toBeUndefined();
    expect(leaked(answer)).toEqual([]);
  });

  test('are in no match over them: what is told of them is', async () => {
    const search = '((\\[redacted\\]\\n?){10,})';
    const answer = await call(client, 'pty_snapshot_wait', { pty_id: id, search, wait_ms: 0 });
    expect(answer).toMatchObject({ outcome: 'immediate', match: { col: 0 } });
    expect(leaked(answer)).toEqual([]);
    expect(answer.match.groups[0]).toBe(answer.match.text);
  });

  test('are in no scrollback, wherever it begins', async () => {
    await runIn(link.api, id, 'seq 1 80');
    for (const scrollback of [0, 20, 25, 30, 40, 55, 80, 200]) {
      expect(leaked(await show({ scrollback }))).toEqual([]);
    }
    await runIn(link.api, id, 'clear; seq 1 12');
  });

  test('are not at the top of a screen that the row before has left, by whatever way it is read', async () => {
    const { id: small } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols, rows: 14 });
    await runIn(link.api, small, 'true');
    await runIn(link.api, small, `cat ${join(served.app.home, 'token')}; seq 101 112`);
    const screen = await call(client, 'pty_snapshot', { pty_id: small });
    expect(screen.text).toMatch(/boundary \w+\]\n\[redacted\]\n101\n/);
    for (const uri of [`term://pty/${small}/screen`, `term://pty/${small}/screen.json`]) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.stringify(contents)).toContain('112');
      expect(leaked(contents)).toEqual([]);
    }
    // the record has no earlier row, which had left before the first frame
    expect(leaked(await recorded(small))).toEqual([]);
    expect(leaked(await call(client, 'pty_snapshot', { pty_id: small, at_seq: screen.seq }))).toEqual([]);
  });

  test('are not at the top of a screen that their head has left, live and afterwards', async () => {
    const { id: small } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols, rows: 14 });
    await runIn(link.api, small, 'true');
    await runIn(link.api, small, `cat ${join(served.app.home, 'key.pem')}`);
    const live = await call(client, 'pty_snapshot', { pty_id: small });
    expect(live.text).not.toContain('BEGIN');
    expect(live.redactions).toBeGreaterThan(0);
    const deltas = await recorded(small);
    const then = await call(client, 'pty_snapshot', { pty_id: small, at_seq: live.seq });
    const resource = await client.readResource({ uri: `term://pty/${small}/screen` });
    expect(leaked([live, deltas, then, resource])).toEqual([]);
  });
});

test("a watch keeps no secret, neither in its match nor in its screen's picture", async () => {
  const { id } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 14 });
  await runIn(link.api, id, 'true');
  const watch = { pty_id: id, search: '(\\[redacted\\]\\n){3}', include_snapshot: true };
  await call(client, 'pty_notify', watch);
  await runIn(link.api, id, `cat ${join(served.app.home, 'key.pem')}`);
  const list = async () => (await call(client, 'pty_notify', { action: 'list' })).watches;
  await expect.poll(list, { interval: 100 }).toEqual([]);
  const inbox = await client.readResource({ uri: 'term://inbox/reader-60' });
  expect(JSON.stringify(inbox)).toContain('matched');
  expect(leaked(inbox)).toEqual([]);
});
