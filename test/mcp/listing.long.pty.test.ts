import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AskBed } from './elicitation/AskBed.ts';
import { type Connected, call, connectClient, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

describe('blocks', () => {
  const served = new ServedMcp();
  let mcp: Connected;
  let id: string;
  const COUNT = 11;
  let run: (cmd: string) => Promise<unknown>;

  beforeAll(async () => {
    const { link, ...started } = await served.start({ cols: 80, rows: 24 });
    ({ mcp, id } = started);
    const other = (await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 })).id;
    run = (cmd) => runIn(link.api, id, cmd);
    for (let n = 0; n < COUNT; n += 1) await runIn(link.api, n % 3 === 0 ? other : id, `echo number ${n}`);
  }, 60_000);
  afterAll(() => served.dispose());

  const since = (args: Record<string, unknown>) => call(mcp.client, 'blocks_since', { preview_lines: 0, ...args });
  const numbers = (blocks: { cmd: string }[]): number[] => blocks.map(({ cmd }) => Number(cmd.split(' ').at(-1)));
  const newest = Array.from({ length: COUNT }, (_, n) => COUNT - 1 - n);

  test.each([1, 4, 11, 200])('are paged back to the first, %i at a time, over all terminals', async (limit) => {
    const seen: number[] = [];
    let page = await since({ newest_first: true, limit });
    for (;;) {
      expect(page.blocks.length).toBeLessThanOrEqual(limit);
      seen.push(...numbers(page.blocks));
      if (!page.has_more) break;
      page = await since({ newest_first: true, limit, cursor: page.resume_cursor });
    }
    expect(seen).toEqual(newest);
    // `resume_cursor` of the last older page continues with blocks that began after the first page
    expect(await since({ cursor: page.resume_cursor })).toMatchObject({ blocks: [], has_more: false, reset: false });
  });

  test('in the order of time there are older ones too, and a cursor for them', async () => {
    const page = await since({ limit: 4 });
    expect(numbers(page.blocks)).toEqual([7, 8, 9, 10]);
    expect(page.has_more).toBe(true);
    const older = await since({ limit: 4, cursor: page.older_cursor });
    expect(numbers(older.blocks)).toEqual([3, 4, 5, 6]);
    const oldest = await since({ limit: 4, cursor: older.older_cursor });
    expect(numbers(oldest.blocks)).toEqual([0, 1, 2]);
    expect(oldest).toMatchObject({ has_more: false, reset: false });
    expect(oldest.older_cursor).toBeUndefined();
    await run('echo number 99');
    for (const { resume_cursor } of [page, oldest])
      expect(numbers((await since({ cursor: resume_cursor })).blocks)).toEqual([99]);
  });

  test('a cursor that is none is refused', async () => {
    expect(await refusal(mcp.client, 'blocks_since', { cursor: 'yesterday' })).toMatchObject({ code: 'BAD_INPUT' });
  });

  test('one of them says where its record lies, and what is known of where it ran', async () => {
    await run('cd "$(mktemp -d)" && git init -q -b side . && git config user.email a@b && git config user.name a');
    await run('git commit -q --allow-empty -m first; echo here');
    await run('echo there');
    const [{ block_id }] = (await since({ limit: 1 })).blocks;
    const { files, env_hint } = await call(mcp.client, 'blocks_get', { block_id, full: true });
    expect(Object.values<string>(files).every((path) => isAbsolute(path) && existsSync(path))).toBe(true);
    expect(readFileSync(files.out, 'utf8')).toBe('there\n');
    expect(realpathSync(files.raw)).toContain(realpathSync(served.app.home));
    expect(env_hint).toEqual({ git_branch: 'side' });
  });
});

describe('commands of the client that have no block', () => {
  const bed = new AskBed();
  let mcp: Connected;
  let other: Connected;
  let id: string;

  beforeAll(async () => {
    await bed.start();
    mcp = await connectClient(bed.home, { name: 'asks-first' });
    other = await connectClient(bed.home, { name: 'another' });
    ({ id } = bed.terminal);
  }, 60_000);
  afterAll(async () => {
    await mcp.close();
    await other.close();
    await bed.dispose();
  });

  const exec = (cmd: string) => call(mcp.client, 'pty_exec', { pty_id: id, cmd, wait_ms: 0, cwd: '/' });
  const since = (args: Record<string, unknown> = {}, { client } = mcp) => call(client, 'blocks_since', args);

  test('are listed with what they are, to their client alone, and by it', async () => {
    const { resume_cursor } = await since();
    const { block_id } = await exec('echo asked for');
    await expect
      .poll(async () => (await since()).blocks)
      .toMatchObject([
        {
          ...{ block_id, pty_id: id, status: 'awaiting_approval', actor: 'agent', client: 'asks-first' },
          cmd_requested: 'echo asked for',
        },
      ]);
    const [{ ts_queued }] = (await since()).blocks;
    expect(Math.abs(ts_queued - Date.now())).toBeLessThan(30_000);
    expect((await since({ cursor: resume_cursor })).blocks).toMatchObject([{ block_id }]);
    expect((await since({ status: 'awaiting_approval' })).blocks).toHaveLength(1);
    expect((await since({ status: 'denied' })).blocks).toEqual([]);
    expect((await since({ actor: 'user' })).blocks).toEqual([]);
    expect((await since({}, other)).blocks).toEqual([]);

    const { resume_cursor: then } = await since();
    const waiting = since({ cursor: then, wait_ms: 20_000 });
    bed.approvals.answer(bed.open.id, { choice: 'deny', reason: 'not now' });
    expect((await waiting).blocks).toMatchObject([{ block_id, status: 'denied', code: 'DENIED_BY_USER' }]);
    expect((await since({ status: 'denied' })).blocks).toMatchObject([{ block_id }]);
  }, 60_000);

  test('become their block, and are there once', async () => {
    const { block_id } = await exec('echo goes through');
    await expect.poll(() => bed.approvals.open.length).toBe(1);
    bed.approvals.answer(bed.open.id, { choice: 'once' });
    await call(mcp.client, 'blocks_get', { block_id, wait_ms: 20_000 });
    const { blocks } = await since();
    expect(blocks.filter((block: { block_id: string }) => block.block_id === block_id)).toMatchObject([
      { status: 'completed', preview_head: ['goes through'], actor: 'agent' },
    ]);
    expect((await since({ status: 'completed' })).blocks).toMatchObject([{ block_id }]);
  }, 60_000);
});
