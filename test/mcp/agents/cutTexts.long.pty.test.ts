import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_TEXT_CHARS } from '../../../src-main/mcp/resources/readCast.ts';
import { installDrawnAgent } from '../../support/installDrawnAgent.ts';
import { type Connected, call } from '../mcpClient.ts';
import { ServedMcp } from '../ServedMcp.ts';

const TOKEN = `ghp_${'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbCd1'}`;
/** Its title is cut in the middle of the token. */
const PROMPT = `${'word '.repeat(21)}${TOKEN}`;

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let mcp: Connected;
let id: string;

beforeAll(async () => {
  ({ link, mcp, id } = await served.start({ cols: 200, rows: 40 }, { preface: { profile: 'full' } }));
}, 60_000);

afterAll(() => served.dispose());

test('no text that is cut gives a client a part of a secret', async () => {
  const text = installDrawnAgent(served.app.home);
  await expect.poll(() => link.api.terminal.submit.mutate({ id, text })).toMatchObject({ ok: true });
  const row = async () => (await call(mcp.client, 'agents_list')).agents[0];
  await expect.poll(async () => (await row())?.state, { timeout: 20_000 }).toBe('idle');
  await link.api.terminal.write.mutate({ id, data: `\x1b[200~${PROMPT}\x1b[201~` });
  await link.api.terminal.write.mutate({ id, data: '\r' });
  await expect.poll(async () => (await row())?.title, { timeout: 20_000 }).toMatch(/^word word.*…$/);
  const answers = [
    await call(mcp.client, 'agents_list'),
    await call(mcp.client, 'agents_list', { past: true }),
    await call(mcp.client, 'chats_list'),
    await call(mcp.client, 'agents_read', { pty_id: id, limit: 100 }),
    ...(await Promise.all(
      [210, 220, 230, 240].map((max_chars) => call(mcp.client, 'agents_read', { pty_id: id, limit: 1, max_chars })),
    )),
  ];
  for (const answer of answers) {
    expect(JSON.stringify(answer)).toContain('word word');
    expect(JSON.stringify(answer)).not.toContain(TOKEN.slice(0, 8));
  }
}, 90_000);

test('an output that is too long for a resource ends before a secret that its limit would cut', async () => {
  const { id: terminalId } = await link.api.terminal.open.mutate({ cols: 200, rows: 40, shell: 'bash' });
  const lines = Math.floor(MAX_TEXT_CHARS / 100) - 1;
  const before = 100 + (MAX_TEXT_CHARS % 100) - 20;
  const text = `awk 'BEGIN { x = sprintf("%99s", ""); gsub(/ /, "x", x); for (n = 0; n < ${lines}; n++) print x; printf "%${before - 1}s ", ""; print "${TOKEN}"; for (n = 0; n < 50; n++) print x }'`;
  await expect.poll(() => link.api.terminal.submit.mutate({ id: terminalId, text })).toMatchObject({ ok: true });
  const last = async () => (await link.api.block.page.query({ terminalId, limit: 1 })).blocks[0];
  await expect.poll(async () => (await last())?.outputLines, { timeout: 30_000 }).toBe(lines + 51);
  await expect.poll(async () => (await last())?.status, { timeout: 30_000 }).toBe('completed');
  const uri = `term://block/${terminalId}.${(await last())?.id}/output`;
  const { contents } = await mcp.client.readResource({ uri });
  const given = contents.map((part) => ('text' in part ? part.text : '')).join('');
  expect(given).toContain('[cut here: ');
  expect(given).not.toContain(TOKEN.slice(0, 8));
}, 90_000);
