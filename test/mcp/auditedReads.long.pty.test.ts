import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AuditLine } from '../../src-main/contract/mcp/audit.ts';
import { findTool } from '../../src-main/mcp/server/catalog.ts';
import { TOOLS } from '../../src-main/mcp/tools/all.ts';
import { readAuditPage } from '../../src-main/store/audit/auditFiles.ts';
import { verifyAudit } from '../../src-main/store/audit/verifyAudit.ts';
import { type Connected, call, connectClient, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const TOKEN = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';

const served = new ServedMcp();
const clients: Connected[] = [];
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let id = '';
/** `block_id` of a command that has ended. */
let ref = '';
let names = 0;

function setPolicy(more: object = {}): void {
  const policy = { version: 1, clients: { '*': { scopes: ['input', 'raw'] } }, ...more };
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
}

beforeAll(async () => {
  ({ link, id } = await served.start({ cols: 80, rows: 24 }));
  setPolicy();
  const block = await runIn(link.api, id, 'echo one line');
  ref = `${id}.${block.id}`;
}, 60_000);

afterEach(async () => {
  for (const one of clients.splice(0)) await one.close();
});

afterAll(() => served.dispose());

/** A client with a new name, and its audit entries, oldest first. */
async function newClient(mode: 'legacy' | 'auto' = 'legacy') {
  names += 1;
  const name = `reader-${names}`;
  const made = await connectClient(served.app.home, { name, mode });
  clients.push(made);
  const audited = async (): Promise<AuditLine[]> =>
    (await link.api.audit.page.query({ filter: { client: name }, limit: 500 })).lines.toReversed();
  return { name, client: made.client, audited };
}

const blockId = (): string => ref.split('.')[1] ?? '';

describe('a tool that only looks', () => {
  /** Tool, its arguments, the subject in its audit entry, and false if the entry names no terminal. */
  const LOOKS: readonly [string, () => Record<string, unknown>, () => string, ofTerminal?: boolean][] = [
    ['pty_list', () => ({}), () => 'open terminals', false],
    ['blocks_since', () => ({ pty_id: id }), () => 'commands'],
    ['blocks_read', () => ({ block_id: ref, grep: 'li[n]e' }), () => `${blockId()}: output with /li[n]e/`],
    ['blocks_search', () => ({ query: 'one line' }), () => 'one line', false],
    ['blocks_get', () => ({ block_id: ref }), () => `${blockId()}: a command`],
    ['pty_snapshot', () => ({ pty_id: id }), () => 'the screen'],
    ['pty_snapshot_wait', () => ({ pty_id: id, search: 'one', wait_ms: 0 }), () => 'one'],
    ['pty_status', () => ({ pty_id: id }), () => 'its state'],
    ['pty_stream_since', () => ({ pty_id: id }), () => 'output'],
    ['pty_notify', () => ({ pty_id: id, search: 'never', ttl_s: 1 }), () => 'never'],
    ['agents_list', () => ({}), () => 'agents', false],
    ['agents_read', () => ({ pty_id: id }), () => 'its agent'],
    ['chats_list', () => ({ pty_id: id }), () => 'conversations'],
    ['chats_read', () => ({ chat_id: `${id}.none` }), () => 'none: a conversation'],
    ['pty_whoami', () => ({}), () => 'what it may do', false],
    ['pty_screen_deltas', () => ({ pty_id: id }), () => 'changes of the screen'],
    ['pty_read_raw', () => ({ pty_id: id, from_offset: 3 }), () => 'bytes from 3'],
    ['chats_export', () => ({ chat_id: `${id}.none` }), () => 'none: as md'],
  ];

  test('is each of those that say so of themselves', () => {
    const reading = TOOLS.filter(({ hints }) => hints.readOnlyHint).map(({ name }) => name);
    const advice = 'add a line to LOOKS for each tool that has `hints: READS` or `WAITS`';
    expect(LOOKS.map(([name]) => name).sort(), advice).toEqual(reading.sort());
  });

  test.each(LOOKS)(
    '%s is in the audit, with its terminal, what it was about and how much was given',
    async (...look) => {
      const [name, args, what, ofTerminal = true] = look;
      const { client, audited } = await newClient();
      const answer = await client.callTool({ name, arguments: args() });
      const { code = null } = answer.structuredContent as { code?: string };
      const [line, ...more] = await audited();
      expect(more).toEqual([]);
      expect(line).toMatchObject({
        tool: name,
        pty: ofTerminal ? id : null,
        what: what(),
        decision: code === null ? 'allowed' : 'refused',
        rule: code ?? 'observe',
        reads: 1,
      });
      if (code === null) expect(line?.bytes).toBeGreaterThan(10);
      else expect(line?.bytes).toBe(0);
    },
  );

  test('is there by its own name when it was called by another', async () => {
    const alias = TOOLS.flatMap(({ aliases }) => aliases).find((name) => findTool(name)?.name === 'pty_snapshot');
    const { client, audited } = await newClient();
    await call(client, alias ?? '', { pty_id: id });
    expect(await audited()).toMatchObject([{ tool: 'pty_snapshot' }]);
  });

  test('pty_control that asks for the state is one too, and no act', async () => {
    const { client, audited } = await newClient();
    await call(client, 'pty_control', { action: 'status', pty_id: id });
    expect(await audited()).toMatchObject([{ tool: 'pty_control', what: 'status', reads: 1, pty: id }]);
  });

  test('that is called on and on is one line, and what it gave after it is counted when the core stops', async () => {
    const own = new ServedMcp();
    const { id: pty, mcp } = await own.start({ cols: 80, rows: 24 });
    for (let n = 0; n < 50; n++) await call(mcp.client, 'pty_snapshot', { pty_id: pty });
    await mcp.close();
    await own.app.stop();
    const audit = join(own.app.home, 'audit.jsonl');
    expect(await verifyAudit(audit)).toMatchObject({ ok: true, entries: 2 });
    const [count, first] = (await readAuditPage(audit, { limit: 9 })).lines;
    expect(first).toMatchObject({ what: 'the screen', reads: 1 });
    expect(count).toMatchObject({ what: '49 more within a minute: the screen', reads: 49, pty });
    expect(count?.bytes).toBeGreaterThan(49 * 100);
    await own.dispose();
  });
});

test('what was counted is told when the person looks, and not whenever the client does', async () => {
  const own = new ServedMcp();
  const { id: pty, mcp, link: person } = await own.start({ cols: 80, rows: 24 });
  const mine = async () => {
    const { contents } = await mcp.client.readResource({ uri: 'term://audit/mine' });
    return JSON.parse((contents[0] as { text: string }).text).lines as AuditLine[];
  };
  for (let n = 0; n < 5; n++) await call(mcp.client, 'pty_status', { pty_id: pty });
  expect((await mine()).map(({ tool }) => tool)).toEqual(['pty_status']);
  expect((await mine()).map(({ tool }) => tool)).toEqual(['pty_status', 'resources/read']);
  const { lines } = await person.api.audit.page.query({ limit: 9 });
  expect(lines.map(({ tool, reads }) => [tool, reads])).toEqual([
    ['resources/read', 1],
    ['pty_status', 4],
    ['resources/read', 1],
    ['pty_status', 1],
  ]);
  await own.dispose();
});

describe('a look that came to nothing', () => {
  test('at a private terminal names it; at one that there is none of names what was asked for', async () => {
    const { client, audited } = await newClient();
    setPolicy({ ptys: { default: 'visible', private: [`id:${id}`] } });
    expect(await refusal(client, 'pty_snapshot', { pty_id: id })).toMatchObject({ code: 'PTY_NOT_FOUND' });
    expect(await refusal(client, 'pty_snapshot', { pty_id: 'made-up' })).toMatchObject({ code: 'PTY_NOT_FOUND' });
    setPolicy();
    expect(await audited()).toMatchObject([
      { decision: 'refused', rule: 'PTY_NOT_FOUND', pty: id, what: 'the screen', bytes: 0 },
      { decision: 'refused', rule: 'PTY_NOT_FOUND', pty: null, what: 'made-up: the screen' },
    ]);
  });

  test('without the right to look is refused there', async () => {
    const { client, audited, name } = await newClient();
    setPolicy({ clients: { '*': { scopes: ['input', 'raw'] }, [name]: { scopes: [] } } });
    expect(await refusal(client, 'pty_list')).toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
    expect(await client.listResources()).toMatchObject({ resources: [] });
    await expect(client.readResource({ uri: 'term://ptys' })).rejects.toThrow('NOT_ALLOWED_SCOPE');
    setPolicy();
    const all = await audited();
    expect(all.map(({ tool }) => tool)).toEqual(['pty_list', 'resources/list', 'resources/read']);
    for (const line of all) expect(line).toMatchObject({ decision: 'refused', rule: 'NOT_ALLOWED_SCOPE', reads: 1 });
  });

  test('that was not understood is there, with nothing of what it said', async () => {
    const { client, audited } = await newClient();
    expect(await refusal(client, 'pty_status', { pty: 'hunter2' })).toMatchObject({ code: 'BAD_INPUT' });
    expect(await refusal(client, 'pty_exec', { pty_id: id })).toMatchObject({ code: 'BAD_INPUT' });
    expect(await audited()).toMatchObject([
      { tool: 'pty_status', rule: 'BAD_INPUT', what: '', reads: 1 },
      { tool: 'pty_exec', rule: 'BAD_INPUT', what: '', reads: null },
    ]);
  });

  test.each([
    ['pty_snapshot_wait', { search: 'never ever', wait_ms: 30_000 }],
    ['pty_stream_since', { search: 'never ever', wait_ms: 30_000 }],
    ['blocks_since', { status: 'queued', wait_ms: 30_000 }],
  ])('%s: a wait that its client gives up is taken back, and nothing was given', async (name, args) => {
    const { client, audited } = await newClient();
    const abort = new AbortController();
    const waiting = client.callTool({ name, arguments: { pty_id: id, ...args } }, { signal: abort.signal });
    setTimeout(() => abort.abort(), 200);
    await expect(waiting).rejects.toThrow();
    await expect.poll(audited).toMatchObject([{ tool: name, pty: id, decision: 'cancelled', bytes: 0 }]);
  });

  test('for a watch among its own is of no terminal, whatever it names', async () => {
    const { client, audited } = await newClient();
    await call(client, 'pty_notify', { action: 'list', pty_id: 'made-up' });
    expect(await refusal(client, 'blocks_search', { query: '(', regex: true, pty_id: 'made-up' })).toMatchObject({
      code: 'PTY_NOT_FOUND',
    });
    expect(await audited()).toMatchObject([
      { tool: 'pty_notify', pty: null, what: 'list' },
      { tool: 'blocks_search', pty: null, what: 'made-up: (' },
    ]);
  });

  test('for which there were too many before is refused there too', async () => {
    const { client, audited } = await newClient();
    const uris = Array.from({ length: 65 }, (_, n) => `term://block/${id}.b${n}-0/output`);
    for (const uri of uris.slice(0, 64)) await client.subscribeResource({ uri });
    await expect(client.subscribeResource({ uri: uris[64] ?? '' })).rejects.toThrow('64 subscriptions');
    expect(await audited()).toMatchObject([{ rule: 'observe' }, { rule: 'RATE_LIMITED', what: uris[64] }]);
  });
});

describe('what is read without a tool', () => {
  test.each(['legacy', 'auto'] as const)('%s: resources, listed, read and followed, and prompts', async (mode) => {
    const { client, audited } = await newClient(mode);
    await client.listResources();
    await client.readResource({ uri: `term://pty/${id}/screen` });
    await client.getPrompt({ name: 'continue_from_terminal', arguments: { pty_id: id } });
    const uris = [`term://pty/${id}/blocks`, 'term://pty/made-up/screen'];
    if (mode === 'legacy') for (const uri of uris) await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: uris });
    const follows = mode === 'legacy' ? 'resources/subscribe' : 'subscriptions/listen';
    const lines = await audited();
    expect(lines.map(({ tool, pty, what, rule }) => [tool, pty, what, rule])).toEqual([
      ['resources/list', null, 'what there is to read', 'observe'],
      ['resources/read', id, `term://pty/${id}/screen`, 'observe'],
      ['prompts/get', id, 'continue_from_terminal', 'observe'],
      [follows, id, `term://pty/${id}/blocks`, 'observe'],
      [follows, null, 'made-up: term://pty/made-up/screen', 'PTY_NOT_FOUND'],
    ]);
    for (const line of lines) expect(line.reads).toBe(1);
    for (const { bytes } of lines.slice(0, 3)) expect(bytes).toBeGreaterThan(50);
  });

  test('a resource that is about a block is of its terminal', async () => {
    const { client, audited } = await newClient();
    await client.readResource({ uri: `term://block/${ref}/output` });
    expect(await audited()).toMatchObject([{ pty: id, what: `term://block/${ref}/output` }]);
  });

  test('a secret that a client looks for is not written down', async () => {
    const { client, audited } = await newClient();
    await call(client, 'blocks_search', { query: TOKEN });
    const [line] = await audited();
    expect(line).toMatchObject({ tool: 'blocks_search' });
    expect(JSON.stringify(line)).not.toContain(TOKEN.slice(0, 12));
  });
});
