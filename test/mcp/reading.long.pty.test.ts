import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import type { connectTo } from '../support/coreClient.ts';
import { type Connected, call, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const served = new ServedMcp();
let link: ReturnType<typeof connectTo>;
let mcp: Connected;
let id = '';

beforeAll(async () => {
  ({ link, mcp, id } = await served.start({ cols: 80, rows: 24 }));
  served.allow(['raw']);
  await runIn(link.api, id, 'echo hello; false');
}, 60_000);

afterAll(async () => {
  await served.dispose();
});

test('terminals are listed with what runs in them', async () => {
  const { ptys, ts } = await call(mcp.client, 'pty_list');
  expect(ts).toBeGreaterThan(1.7e12);
  expect(ptys).toMatchObject([{ pty_id: id, shell: 'bash', state: 'idle', cols: 80, rows: 24, is_caller_pty: false }]);
});

test('a failed command is found by summaries, and its error costs a few hundred bytes', async () => {
  await runIn(link.api, id, 'seq 1 3000000; echo "error: it broke here" >&2; (exit 3)');
  const { blocks } = await call(mcp.client, 'blocks_since', { limit: 1 });
  expect(blocks).toMatchObject([{ exit_code: 3, output_lines: 3_000_001, status: 'completed', actor: 'user' }]);
  expect(blocks[0].preview_tail.at(-1)).toBe('error: it broke here');
  const found = await mcp.client.callTool({
    name: 'blocks_read',
    arguments: { block_id: blocks[0].block_id, grep: 'error', context: 1 },
  });
  const text = (found.content as { text: string }[])[0]?.text ?? '';
  expect(text).toMatch(
    /\[terminal output · untrusted · pty \S+ · block \S+ · boundary [0-9a-f]{6}\]\n3000000\nerror: it broke here\n\[end/,
  );
  expect(text.length).toBeLessThan(800);
  const middle = await call(mcp.client, 'blocks_read', {
    block_id: blocks[0].block_id,
    from_line: 1_999_999,
    to_line: 2_000_001,
  });
  expect(middle.text).toContain('\n2000000\n2000001\n2000002\n');
}, 60_000);

test('raw bytes are exact, page by page', async () => {
  const raw = readFileSync(new SessionFolder(served.app.home, id).raw);
  const pieces: Buffer[] = [];
  for (let at = 0; at < 300_000; ) {
    const page = await call(mcp.client, 'pty_read_raw', {
      pty_id: id,
      from_offset: at,
      max_bytes: 70_001,
      align: 'escape',
    });
    const bytes = Buffer.from(page.data_b64, 'base64');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(page.sha256);
    pieces.push(bytes);
    at = page.resume_offset;
  }
  const all = Buffer.concat(pieces);
  expect(all.equals(raw.subarray(0, all.length))).toBe(true);
});

test('a wait ends with the command that it waits for', async () => {
  const { seq } = await call(mcp.client, 'pty_snapshot', { pty_id: id });
  const waiting = call(mcp.client, 'pty_snapshot_wait', {
    pty_id: id,
    for: ['block_end'],
    after_seq: seq,
    wait_ms: 20_000,
  });
  await runIn(link.api, id, 'sleep 0.3; echo done-now');
  const { outcome, block, text } = await waiting;
  expect(outcome).toBe('block_end');
  expect(block).toMatchObject({ cmd: 'sleep 0.3; echo done-now', exit_code: 0 });
  expect(text).toContain('done-now');
});

test('a stream is followed without loss or repetition', async () => {
  const { resume_cursor } = await call(mcp.client, 'pty_stream_since', { pty_id: id, cursor_only: true });
  await runIn(link.api, id, 'for i in $(seq 1 2000); do echo "line $i"; done');
  let cursor = resume_cursor;
  let text = '';
  const marks: object[] = [];
  for (;;) {
    const page = await call(mcp.client, 'pty_stream_since', { pty_id: id, cursor, max_chars: 3000 });
    text += page.text
      .split('\n')
      .slice(1, -1)
      .join('\n')
      .concat(page.text.includes('\n[end') ? '' : '');
    marks.push(...(page.marks ?? []));
    cursor = page.resume_cursor;
    if (page.at_end) break;
  }
  const numbers = [...text.matchAll(/line (\d+)/g)].map(([, n]) => Number(n));
  expect(numbers.length).toBeGreaterThan(1900);
  expect(marks).toMatchObject([{ kind: 'block_begin' }, { kind: 'block_end', exit_code: 0 }]);
});

test('a stream shows backspaces, erasures and overprints as a block does', async () => {
  const { resume_cursor } = await call(mcp.client, 'pty_stream_since', { pty_id: id, cursor_only: true });
  await runIn(
    link.api,
    id,
    "printf 'abc\\b\\b\\bad\\033[K!\\n10%%\\r100%% done\\nmistake\\b\\b\\b\\033[Kle\\n'; seq 3",
  );
  const text = async (max_chars: number): Promise<string> => {
    let all = '';
    for (let cursor = resume_cursor; ; ) {
      const page = await call(mcp.client, 'pty_stream_since', { pty_id: id, cursor, max_chars });
      all += page.text.split('\n').slice(1, -1).join('\n');
      cursor = page.resume_cursor;
      if (page.at_end) return all;
    }
  };
  expect(await text(10_000)).toContain('\nad!\n100% done\nmistle\n1\n2\n3\n');
  const found = await call(mcp.client, 'pty_stream_since', { pty_id: id, cursor: resume_cursor, search: '^mistle$' });
  expect(found.match.text).toBe('mistle');
});

test('an offset behind the end gives nothing, and where the end is', async () => {
  const { raw_size } = await call(mcp.client, 'pty_read_raw', { pty_id: id });
  const page = await call(mcp.client, 'pty_read_raw', { pty_id: id, from_offset: raw_size + 1000 });
  expect(page).toMatchObject({ bytes_returned: 0, data_b64: '', resume_offset: page.raw_size });
  const { cursor, ...stream } = await call(mcp.client, 'pty_stream_since', {
    pty_id: id,
    cursor: `o${raw_size + 1000}`,
  });
  expect(stream).toMatchObject({ reset: true, at_end: true, resume_cursor: cursor });
});

test('a block says whether its card leaves lines out', async () => {
  const of = async (cmd: string) => {
    const { id: block } = await runIn(link.api, id, cmd);
    return (await call(mcp.client, 'blocks_get', { block_id: `${id}.${block}`, full: true })).was_clipped_for_ui;
  };
  expect([await of('seq 60'), await of('seq 61')]).toEqual([false, true]);
});

test('a search that finds its match far down says how much of the way to it is left out', async () => {
  const { resume_cursor } = await call(mcp.client, 'pty_stream_since', { pty_id: id, cursor_only: true });
  await runIn(link.api, id, 'seq 100000 103000; echo caf\u00e9 here; seq 9');
  const args = { pty_id: id, cursor: resume_cursor, search: '^caf. here' };
  const { dropped, text, match, ...page } = await call(mcp.client, 'pty_stream_since', { ...args, max_chars: 200 });
  expect(text).toMatch(/\n103000\ncafé here\n/);
  const shown = text.split('\n').slice(1, -1);
  expect(shown[match.line]).toBe('café here');
  const raw = readFileSync(new SessionFolder(served.app.home, id).raw);
  const from = Number(resume_cursor.slice(1));
  const till = Number(page.resume_cursor.slice(1));
  const rest = raw.toString('utf8', from + dropped.bytes, till);
  expect(rest.replaceAll('\r\n', '\n').replaceAll('\r', '')).toBe(shown.join('\n'));
  const whole = await call(mcp.client, 'pty_stream_since', { ...args, max_chars: 100_000 });
  expect(whole.dropped).toBeUndefined();
  expect(whole.resume_cursor).toBe(page.resume_cursor);
});

test('what is refused says what is wrong and what to do', async () => {
  expect(await refusal(mcp.client, 'pty_snapshot', { pty_id: 'nope' })).toMatchObject({ code: 'PTY_NOT_FOUND' });
  expect(await refusal(mcp.client, 'pty_snapshot', { pty_id: id, rows: 3 })).toMatchObject({ code: 'BAD_INPUT' });
  expect(await refusal(mcp.client, 'blocks_get', { block_id: `${id}.b999-aaaaaa` })).toMatchObject({
    code: 'BLOCK_NOT_FOUND',
  });
  expect(await refusal(mcp.client, 'pty_exec', { pty_id: id, cmd: 'ls' })).toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
  expect(await refusal(mcp.client, 'pty_snapshot', { pty_id: id, since: 1_000_000 })).toMatchObject({
    code: 'SEQ_MISMATCH',
  });
  expect(await refusal(mcp.client, 'blocks_search', { query: '(', regex: true })).toMatchObject({ code: 'BAD_REGEX' });
  await expect(mcp.client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow(/no_such_tool/);
});

test('numbers beyond their caps are cut and told', async () => {
  expect(await call(mcp.client, 'blocks_since', { limit: 9999 })).toMatchObject({ effective: { limit: 200 } });
});

test('the list of tools is short enough to be read', async () => {
  const { tools } = await mcp.client.listTools();
  expect(tools.length).toBeLessThanOrEqual(20);
  expect(JSON.stringify({ tools }).length).toBeLessThanOrEqual(24 * 1024);
  for (const tool of tools) {
    expect(tool.description?.length ?? 0, tool.name).toBeLessThanOrEqual(600);
    expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
  }
});

test('older names are answered and not listed', async () => {
  expect((await call(mcp.client, 'blocks.since', { limit: 1 })).blocks).toHaveLength(1);
  expect(await call(mcp.client, 'pty_read_screen', { pty_id: id })).toMatchObject({ pty_id: id });
});

test('a restarted shell has a fresh screen epoch, and no title of the shell before', async () => {
  const { id: own } = await link.api.terminal.open.mutate({ shell: '/bin/sh', cols: 80, rows: 24 });
  const snapshot = () => call(mcp.client, 'pty_snapshot', { pty_id: own });
  await link.api.terminal.write.mutate({ id: own, data: "printf '\\033]2;left behind\\007'\r" });
  await expect.poll(async () => (await snapshot()).title, { timeout: 15_000 }).toBe('left behind');
  const before = await snapshot();
  await link.api.terminal.write.mutate({ id: own, data: 'exit\r' });
  const ended = { pty_id: own, for: ['exit'], wait_ms: 20_000 };
  expect((await call(mcp.client, 'pty_snapshot_wait', ended)).outcome).toBe('exited');
  await link.api.terminal.restart.mutate({ id: own });
  const after = await snapshot();
  expect(after.screen_epoch).not.toBe(before.screen_epoch);
  expect(after.title).toBe('');
  expect(
    await call(mcp.client, 'pty_snapshot', { pty_id: own, since: before.seq, since_epoch: before.screen_epoch }),
  ).toMatchObject({
    full: true,
    reason: 'epoch_changed',
  });
});
