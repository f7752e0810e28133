import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { call, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let mcp: Awaited<ReturnType<ServedMcp['start']>>['mcp'];
let id: string;
let raw: Buffer;

beforeAll(async () => {
  ({ link, mcp, id } = await served.start({ cols: 80, rows: 24 }));
  served.allow(['raw']);
  await runIn(link.api, id, "printf 'caf\\u00e9 %s\\n' one");
  await link.api.terminal.resize.mutate({ id, cols: 100, rows: 30 });
  await runIn(link.api, id, 'seq 1 2000');
  await runIn(link.api, id, 'false');
  await call(mcp.client, 'pty_snapshot_wait', { pty_id: id, stable_ms: 500 }); // until the next prompt is in the recording
  raw = readFileSync(new SessionFolder(served.app.home, id).raw);
}, 60_000);
afterAll(() => served.dispose());

/** The link that the tool returns, and the content of its resource. */
async function cast(range: { from_offset?: number; to_offset?: number }) {
  const args = { pty_id: id, format: 'asciicast', ...range };
  const { content, structuredContent } = await mcp.client.callTool({ name: 'pty_read_raw', arguments: args });
  const linked = content.find((part) => part.type === 'resource_link');
  if (linked?.type !== 'resource_link') throw new Error(JSON.stringify(content));
  expect(structuredContent).toMatchObject({ uri: linked.uri });
  expect(linked.mimeType).toBe('application/x-asciicast');
  return { facts: structuredContent as Record<string, number>, ...(await read(linked.uri)) };
}

async function read(uri: string) {
  const { contents } = await mcp.client.readResource({ uri });
  const [file] = contents;
  if (!file || !('text' in file)) throw new Error(`${uri} is no text`);
  const [head = {}, ...events] = file.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const printed = events.map(([, code, data]: [number, string, string]) => (code === 'o' ? data : '')).join('');
  return { mimeType: file.mimeType, head, events, printed };
}

test('a range of bytes comes as a recording of exactly them', async () => {
  const { blocks } = await call(mcp.client, 'blocks_since', { pty_id: id });
  const block = blocks.find(({ cmd }: { cmd: string }) => cmd === 'seq 1 2000');
  const { raw_range } = await call(mcp.client, 'blocks_get', { block_id: block.block_id, full: true });
  const { head, events, printed, mimeType } = await cast({ from_offset: raw_range.from, to_offset: raw_range.to });
  expect(mimeType).toBe('application/x-asciicast');
  expect(printed).toBe(raw.toString('utf8', raw_range.from, raw_range.to));
  expect(printed).toContain('\r\n1999\r\n2000');
  expect(head).toMatchObject({ version: 2, width: 100, height: 30 });
  expect(Math.abs(head.timestamp * 1000 - block.ts_begin)).toBeLessThan(2_000);
  const times = events.map(([at]: [number]) => at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test.each([
  [0, 400],
  [17, 18],
  [900, 900],
  [1234, 5678],
])('bytes %i to %i', async (from, to) => {
  const { facts, printed } = await cast({ from_offset: from, to_offset: to });
  expect(facts).toMatchObject({ offset: from, to_offset: to, raw_size: raw.length });
  expect(Buffer.from(printed).equals(raw.subarray(from, to))).toBe(true);
});

test('without a range it is all, also by its own address', async () => {
  const whole = await cast({});
  expect(whole.facts).toMatchObject({ offset: 0, to_offset: raw.length });
  expect(whole.printed).toBe(raw.toString());
  expect((await read(`term://pty/${id}/cast`)).printed).toBe(whole.printed);
});

test('to_offset ends a page of bytes too', async () => {
  const page = await call(mcp.client, 'pty_read_raw', { pty_id: id, from_offset: 100, to_offset: 350 });
  expect(page).toMatchObject({ bytes_returned: 250, resume_offset: 350 });
  expect(Buffer.from(page.data_b64, 'base64').equals(raw.subarray(100, 350))).toBe(true);
});

test.each([
  [{ from_offset: 1e9 }, 'from_offset'],
  [{ to_offset: 1e9 }, 'to_offset'],
  [{ from_offset: 10, to_offset: 9 }, 'before from_offset'],
])('a range that is none is refused: %j', async (range, word) => {
  // `bytes` from past the end is valid and returns no bytes and the true end, for readers that wait for more.
  const isBehind = 'from_offset' in range && !('to_offset' in range);
  for (const format of isBehind ? ['asciicast'] : ['asciicast', 'bytes']) {
    const refused = await refusal(mcp.client, 'pty_read_raw', { pty_id: id, format, ...range });
    expect(refused).toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining(word) });
  }
  await expect(read(`term://pty/${id}/cast/5-4`)).rejects.toThrow(/BAD_INPUT/);
  await expect(read(`term://pty/${id}/cast/0-999999999`)).rejects.toThrow(/BAD_INPUT/);
});

test('bytes from behind the end are none, with the true end', async () => {
  const page = await call(mcp.client, 'pty_read_raw', { pty_id: id, from_offset: 1e9 });
  expect(page).toMatchObject({ bytes_returned: 0, data_b64: '', resume_offset: raw.length, raw_size: raw.length });
});

test('what is too large for a message, secret or private is not told', async () => {
  const secret = `AKIA${'QZ7K2M4N5P6R7S8T'}`;
  await runIn(link.api, id, `printf 'key %s%s\\n' ${secret.slice(0, 6)} ${secret.slice(6)}`);
  const { printed } = await cast({});
  expect(printed).toContain('key ');
  expect(printed).not.toContain(secret);
  await runIn(link.api, id, 'seq 1000000 1500000 > /dev/null; yes 0123456789 | head -c 5000000');
  await expect(read(`term://pty/${id}/cast`)).rejects.toThrow(/TOO_LARGE.*smaller range/);
  const policy = { version: 1, clients: { '*': { scopes: ['raw'] } }, ptys: { private: [`id:${id}`] } };
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
  await expect(read(`term://pty/${id}/cast/0-10`)).rejects.toThrow(/PTY_NOT_FOUND/);
});
