import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TerminalView } from '../../src-main/contract/terminal.ts';
import { type Connected, call, connectClient, refusal } from './mcpClient.ts';
import { ServedMcp } from './ServedMcp.ts';

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let mcp: Connected;
let id: string;
const views = new Map<string, TerminalView>();

beforeAll(async () => {
  ({ link, mcp, id } = await served.start({ cols: 80, rows: 24 }, { name: 'builder' }));
  mkdirSync(join(served.app.home, 'keys'));
  const policy = {
    version: 1,
    clients: { '*': { scopes: ['exec'] }, looker: { scopes: ['suggest'] } },
    exec: { allow: [{ argv: ['echo'] }] },
    ptys: { private: [`cwd:${join(served.app.home, 'keys')}`] },
  };
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
  link.api.terminal.onChange.subscribe(undefined, {
    onData: (change) => {
      if (change.type === 'changed') views.set(change.terminal.id, change.terminal);
      if (change.type === 'removed') views.delete(change.id);
    },
  });
}, 60_000);

afterAll(() => served.dispose());

const active = async () => (await link.api.workspace.get.query()).active;
const open = (args: object = {}) => call(mcp.client, 'pty_open', { ...args });

test('a client runs a command in a terminal of its own, and the tab of the person stays in front', async () => {
  const { pty_id } = await open({ cwd: served.app.home });
  expect(await active()).toBe(id);
  await expect.poll(() => views.get(pty_id)).toMatchObject({ name: 'builder', openedBy: 'agent:builder' });
  const ran = await call(mcp.client, 'pty_exec', { pty_id, cmd: 'echo in my own', wait_ms: 20_000 });
  expect(ran).toMatchObject({ status: 'completed', block: { exit_code: 0, client: 'builder' } });
  expect(ran.text ?? ran.output).toContain('in my own');
  const { ptys } = await call(mcp.client, 'pty_list');
  expect(ptys).toMatchObject([
    { pty_id: id, tab: 1 },
    { pty_id, tab: 2, name: 'builder', opened_by: 'agent:builder' },
  ]);
  expect(await call(mcp.client, 'pty_open', { close: pty_id })).toMatchObject({ outcome: 'closed' });
  await expect.poll(() => views.has(pty_id)).toBe(false);
  expect(await active()).toBe(id);
}, 60_000);

test('it has at most four, closes its own alone, and none where the person hides what is there', async () => {
  const own = await Promise.all([open(), open(), open(), open()]);
  expect(await refusal(mcp.client, 'pty_open')).toMatchObject({ code: 'BUSY' });
  expect(await refusal(mcp.client, 'pty_open', { close: id })).toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
  for (const { pty_id } of own) await call(mcp.client, 'pty_open', { close: pty_id });
  const open_ = [...views.keys()];
  expect(await refusal(mcp.client, 'pty_open', { cwd: join(served.app.home, 'keys') })).toMatchObject({
    code: 'PTY_NOT_FOUND',
  });
  for (const cwd of ['relative', '/nowhere/at/all', join(served.app.home, 'policy.json')])
    expect(await refusal(mcp.client, 'pty_open', { cwd })).toMatchObject({ code: 'BAD_INPUT' });
  await expect.poll(() => [...views.keys()]).toEqual(open_);
  const looker = await connectClient(served.app.home, { name: 'looker' });
  expect(await refusal(looker.client, 'pty_open')).toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
  await looker.close();
}, 60_000);

test('each is in the audit with who, where and how it ended', async () => {
  const { lines } = await link.api.audit.page.query({ filter: { reads: false }, limit: 50 });
  const opened = lines
    .filter(({ tool }) => tool === 'pty_open')
    .map(({ client, decision, rule }) => [client, decision, rule]);
  expect(opened.filter(([, decision]) => decision === 'allowed')).toHaveLength(10);
  expect(opened).toContainEqual(['builder', 'refused', 'BUSY']);
  expect(opened).toContainEqual(['looker', 'refused', 'NOT_ALLOWED_SCOPE']);
});
