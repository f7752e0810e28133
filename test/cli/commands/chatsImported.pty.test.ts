import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Conversation } from '../../../src-main/contract/chat/chat.ts';
import { importPast } from '../../../src-main/past/importPast.ts';
import { PastFile } from '../../../src-main/store/past/PastFile.ts';
import { LINE_FORMS, sessionId, writeSession } from '../../past/support/syntheticLogs.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { runCli } from '../runCli.ts';

const home = suiteFolder('cli-imported');
const logs = mkdtempSync(join(tmpdir(), 'imported-'));
const run = (...args: string[]) => runCli(args, { home });
const listed = async (...args: string[]) =>
  JSON.parse((await run('chats', '--json', ...args)).stdout) as { conversations: Conversation[]; next: string | null };

beforeAll(() => {
  for (const [n, form] of LINE_FORMS.entries())
    writeSession(logs, form, {
      ...{ id: sessionId(form.agent, n), cwd: '/home/u/quay', atMs: 1_750_000_000_000 + n * 86_400_000 },
      turns: [{ prompt: `Question of ${form.agent}`, answer: `Answer of ${form.agent}`, tool: 'ls' }],
    });
  const file = PastFile.open(home);
  for (const _ of importPast(file, { home: logs, env: {}, keepsText: true }));
  file.close();
});

afterAll(() => rmSync(logs, { recursive: true, force: true }));

test('lists imported conversations with where they come from, newest first', async () => {
  const { code, stdout, stderr } = await run('chats');
  expect([code, stderr]).toEqual([0, '']);
  const rows = stdout.trimEnd().split('\n').slice(1);
  expect(rows.map((row) => row.split(/ {2,}/)[2])).toEqual(LINE_FORMS.map(() => 'own log'));
  expect(rows[0]).toContain(`Question of ${LINE_FORMS.at(-1)?.agent}`);
});

test('gives each once, a page after the other', async () => {
  const whole = (await listed()).conversations.map(({ id }) => id);
  const paged: string[] = [];
  let next: string | null = null;
  do {
    const page = await listed('-n', '2', ...(next === null ? [] : ['--cursor', next]));
    paged.push(...page.conversations.map(({ id }) => id));
    next = page.next;
  } while (next !== null);
  expect(paged).toEqual(whole);
  expect(whole).toHaveLength(LINE_FORMS.length);
});

test('prints one by the id that the list and a search name, and says why it has no recording to play', async () => {
  const hit = await run('search', 'question of codex');
  const id = /own-logs\/\d+/.exec(hit.stdout)?.[0] ?? '';
  const { code, stdout } = await run('chat', id);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Answer of codex')]);
  const cast = await run('chat', id, '-f', 'cast');
  expect([cast.code, cast.stderr]).toEqual([66, expect.stringContaining('imported from a log')]);
  expect((await run('chat', 'own-logs/999')).code).toBe(66);
});
