import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connected, call, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let mcp: Connected;
let id: string;

beforeAll(async () => {
  ({ link, mcp, id } = await served.start({ cols: 80, rows: 24 }));
  served.allow(['input']);
  for (const cmd of ['echo fine', '(exit 3)', 'echo "{\\"blocks\\":[]}"', '(exit 4)']) await runIn(link.api, id, cmd);
}, 60_000);

afterAll(() => served.dispose());

const commands = async (args: object): Promise<string[]> =>
  (await call(mcp.client, 'blocks_since', { ...args })).blocks.map(({ cmd }: { cmd: string }) => cmd);

describe('what a model guesses', () => {
  test.each<[string, object]>([
    ['failed', { failed: true }],
    ['status failed', { status: 'failed' }],
    ['both', { failed: true, status: 'failed' }],
    ['since an hour ago', { failed: true, since: '1h' }],
    ['since a date', { failed: true, since: new Date(Date.now() - 3_600_000).toISOString() }],
    ['since a time', { failed: true, since: Date.now() - 3_600_000 }],
  ])('finds what failed: %s', async (_, args) => {
    expect(await commands(args)).toEqual(['(exit 3)', '(exit 4)']);
  });

  test('narrows and does not narrow as it says', async () => {
    expect(await commands({ failed: false })).toHaveLength(4);
    expect(await commands({ status: 'succeeded' })).toHaveLength(2);
    expect(await commands({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
    expect(await commands({ max_chars: 200, newest_first: true })).toEqual(['(exit 4)']);
    const page = await call(mcp.client, 'blocks_since', { max_chars: 200 });
    expect([page.blocks[0].cmd, page.has_more, typeof page.older_cursor]).toEqual(['(exit 4)', true, 'string']);
  });

  test('pages back by the newest from a cursor too, until nothing is left', async () => {
    const { resume_cursor } = await call(mcp.client, 'blocks_since', {});
    for (let n = 0; n < 5; n += 1) await runIn(link.api, id, `echo later ${n}`);
    const seen: string[] = [];
    let page = await call(mcp.client, 'blocks_since', { cursor: resume_cursor, newest_first: true, limit: 2 });
    for (;;) {
      seen.push(...page.blocks.map(({ cmd }: { cmd: string }) => cmd));
      if (!page.has_more) break;
      page = await call(mcp.client, 'blocks_since', { cursor: page.resume_cursor, newest_first: true, limit: 2 });
    }
    expect(seen.slice(0, 6)).toEqual([...[4, 3, 2, 1, 0].map((n) => `echo later ${n}`), '(exit 4)']);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('is refused where it may mean two things, with what the tool takes', async () => {
    const exec = { pty_id: id, cmd: 'true' };
    const wait = { pty_id: id, search: 'x' };
    const refused: [string, object, RegExp][] = [
      ['pty_exec', { ...exec, timeout_ms: 5000 }, /interrupt_after_ms/],
      ['pty_exec', { ...exec, command: 'false' }, /twice, by two names/],
      ['pty_snapshot_wait', { ...wait, timeout_ms: 5, wait_ms: 5 }, /twice, by two names/],
      ['pty_snapshot_wait', { ...wait, timeout_ms: 5, timeout: 5 }, /twice, by two names/],
      ['pty_snapshot', { pty_id: id, since: 1, since_seq: 1 }, /twice, by two names/],
      ['blocks_since', { failed: true, status: 'running' }, /exclude each other/],
      ['blocks_since', { since: 'yesterday' }, /since/],
      ['blocks_since', { since: '' }, /since/],
      ['blocks_since', { since: -1 }, /since/],
      ['blocks_since', { since: '9'.repeat(400) }, /since/],
      ['blocks_since', { failed: 'true' }, /failed/],
      ['blocks_since', { __proto__: null, constructor: 1 }, /constructor/],
      ['agents_prompt', { pty_id: id, text: 'x'.repeat(1_000_000) }, /text/],
      ['agents_prompt', { pty_id: [id], text: 'x' }, /pty_id/],
      ['agents_answer', { pty_id: id, question_id: 'x', option: 1 }, /option/],
      ['agents_answer', { pty_id: id, question_id: 'x', option: 'a', choice: 'b' }, /twice, by two names/],
      ['agents_read', {}, /pty_id or chat_id/],
      ['agents_read', { pty_id: id, chat_id: 'other.c1' }, /another terminal/],
      ['agents_list', { state: 'dead' }, /state/],
      ['pty_open', { cwd: 7 }, /cwd/],
      ['pty_open', { name: '\u202e' }, /name/],
    ];
    for (const [tool, args, said] of refused) {
      const { code, message, suggestion } = await refusal(mcp.client, tool, args as Record<string, unknown>);
      expect([tool, code, `${message} ${suggestion}`]).toEqual([tool, 'BAD_INPUT', expect.stringMatching(said)]);
    }
  });

  test('is taken by older names, and a number beyond its cap as the cap', async () => {
    const waited = await call(mcp.client, 'pty_snapshot_wait', { pty_id: id, search: 'fine', timeout_ms: 0 });
    expect(waited.outcome).toMatch(/immediate|matched|deadline/);
    const { effective } = await call(mcp.client, 'blocks_since', { limit: 10 ** 12, preview_lines: -5 });
    expect(effective).toEqual({ limit: 200, preview_lines: 0 });
    expect(await call(mcp.client, 'agents_list', { past: true, since: '2d', limit: 10 ** 9 })).toMatchObject({
      chats: [],
    });
  });
});

test('all that is said of one block stands in one object, and nothing that was printed can end its frame', async () => {
  const { content } = await mcp.client.callTool({ name: 'blocks_since', arguments: { since: '1h', limit: 200 } });
  const [facts = '', head = '', json = '', end = ''] = (content as { text: string }[])[0]?.text.split('\n') ?? [];
  expect(JSON.parse(facts)).not.toHaveProperty('blocks');
  expect(head).toMatch(/^\[terminal output · untrusted · boundary [0-9a-f]{6}\]$/);
  const { blocks } = JSON.parse(json) as { blocks: Record<string, unknown>[] };
  for (const block of blocks) {
    expect(block).toMatchObject({
      block_id: expect.stringContaining(id),
      cmd: expect.any(String),
      exit_code: expect.any(Number),
    });
  }
  expect(end).toMatch(/^\[end [0-9a-f]{6}\]$/);
});
