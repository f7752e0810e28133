import { chmodSync, copyFileSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../cli/Installation.ts';
import type { connectTo } from '../support/coreClient.ts';
import { type Connected, call, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/agents/', import.meta.url));
const [CAST = ''] = globSync('codex/*-short-turns/session.cast', { cwd: FIXTURES });

const served = new ServedMcp();
let link: ReturnType<typeof connectTo>;
let mcp: Connected;
let chatId = '';
/** The folder in which the agent runs. */
const held = () => join(served.app.home, 'held');

beforeAll(async () => {
  const opened = await served.start({ cols: 100, rows: 30 }, { preface: { profile: 'full' } });
  served.allow(['raw']);
  ({ link, mcp } = opened);
  const program = join(served.app.home, 'bin', 'codex');
  mkdirSync(join(served.app.home, 'bin'));
  mkdirSync(held());
  await runIn(link.api, opened.id, `cd ${held()}`);
  copyFileSync(fileURLToPath(new URL('../support/playedAgent.mjs', import.meta.url)), program);
  chmodSync(program, 0o755);
  await runIn(link.api, opened.id, `${program} ${join(FIXTURES, CAST)} 4`);
  await eventually('the end of the conversation', async () => {
    const { chats } = await call(mcp.client, 'chats_list');
    return chats[0]?.ts_end ?? undefined;
  });
  const { chats } = await call(mcp.client, 'chats_list', { pty_id: opened.id });
  chatId = chats[0].chat_id;
}, 90_000);

afterAll(async () => {
  await served.dispose();
});

test('a conversation is listed, and read page by page in order', async () => {
  const { chats } = await call(mcp.client, 'chats_list', { agent: 'codex' });
  expect(chats).toMatchObject([{ chat_id: chatId, agent: 'codex' }]);
  const whole = await call(mcp.client, 'chats_read', { chat_id: chatId, limit: 200, max_chars: 100_000 });
  expect(whole.has_more).toBe(false);
  const pages: unknown[] = [];
  let cursor = 'm-1';
  for (let hasMore = true; hasMore; ) {
    const page = await call(mcp.client, 'chats_read', { chat_id: chatId, cursor, limit: 2, max_chars: 100_000 });
    pages.push(...page.messages);
    expect(page.messages.length).toBeGreaterThan(0);
    cursor = page.resume_cursor;
    hasMore = page.has_more;
  }
  expect(pages).toEqual(whole.messages);
  expect(whole.messages.map(({ kind }: { kind: string }) => kind)).toContain('model');
  for (const { kind, raw_range, confidence, actor, asked_by } of whole.messages) {
    expect(raw_range.from).toBeLessThanOrEqual(raw_range.to);
    expect(confidence).toBeGreaterThan(0);
    expect([actor, asked_by]).toEqual([kind === 'user' ? 'user' : whole.agent, undefined]);
  }
  const { messages } = await call(mcp.client, 'chats_read', { chat_id: chatId, kinds: ['user'] });
  expect(new Set(messages.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['user']));
  const greeted = await call(mcp.client, 'chats_read', { chat_id: chatId, kinds: ['welcome'] });
  expect(new Set(greeted.messages.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['welcome']));
});

test.each(['md', 'json', 'jsonl', 'html', 'asciicast'])(
  'it is exported as %s, by a link that can be read',
  async (format) => {
    const result = await mcp.client.callTool({ name: 'chats_export', arguments: { chat_id: chatId, format } });
    const { uri } = result.structuredContent as { uri: string };
    const linked = (result.content as { type: string; uri?: string; mimeType?: string }[]).find(
      ({ type }) => type === 'resource_link',
    );
    expect(linked?.uri).toBe(uri);
    const { contents } = await mcp.client.readResource({ uri });
    const [{ text = '', mimeType } = {}] = contents as { text?: string; mimeType?: string }[];
    expect(mimeType).toBe(linked?.mimeType);
    const { messages } = await call(mcp.client, 'chats_read', { chat_id: chatId, kinds: ['user'], limit: 1 });
    const said = messages[0].text.split('\n')[0];
    if (format !== 'asciicast') expect(text).toContain(said);
    else {
      const [head, ...events] = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(head).toMatchObject({ version: 2, width: 100, height: 30 });
      expect(events.length).toBeGreaterThan(5);
      expect(events.map(([, , data]) => data).join('')).toContain('\u001b[');
    }
  },
);

test('a conversation that is none is refused', async () => {
  for (const name of ['chats_read', 'chats_export'])
    expect((await refusal(mcp.client, name, { chat_id: 'nobody.nothing' })).code).toMatch(/NOT_FOUND/);
});

test('a conversation that was held in a private folder is not there, also when its terminal has left the folder', async () => {
  const terminalId = chatId.slice(0, chatId.lastIndexOf('.'));
  await runIn(link.api, terminalId, 'cd /');
  served.allow(['raw'], { private: [`cwd:${held()}`] });
  await eventually('the policy', async () => {
    const { chats } = await call(mcp.client, 'chats_list');
    return chats.length === 0 ? true : undefined;
  });
  expect(JSON.stringify(await call(mcp.client, 'pty_list'))).toContain(terminalId);
  for (const name of ['chats_read', 'chats_export'])
    expect((await refusal(mcp.client, name, { chat_id: chatId })).code).toBe('BLOCK_NOT_FOUND');
  const { resources } = await mcp.client.listResources();
  expect(resources.filter(({ uri }) => uri.startsWith('term://chat/'))).toEqual([]);
  const { message } = await refusal(mcp.client, 'agents_read', { pty_id: terminalId });
  expect(message).not.toContain(chatId);
});
