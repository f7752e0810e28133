import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, connectClient, refusal } from '../mcp/mcpClient.ts';
import { BROWSER } from '../support/WebApp.ts';
import { ClientWindow } from './ClientWindow.ts';

const win = new ClientWindow();
let { page, mcp, id } = win;

beforeAll(async () => {
  if (!BROWSER) return;
  await win.start();
  ({ page, mcp, id } = win);
});

afterAll(() => win.dispose());

const card = () => page.getByRole('region', { name: /asks to run/ });

test.skipIf(!BROWSER)('what the policy allows runs without a question, and its card names the client', async () => {
  const done = await call(mcp.client, 'pty_exec', { pty_id: id, cmd: 'pwd', wait_ms: 20_000 });
  expect(done).toMatchObject({
    status: 'completed',
    decision: { by: 'policy' },
    block: { exit_code: 0, actor: 'agent' },
  });
  await expect.poll(() => page.getByText('test-client').count()).toBeGreaterThan(0);
});

test.skipIf(!BROWSER)('what asks is shown exactly, runs when it is allowed, and only then', async () => {
  const running = call(mcp.client, 'pty_exec', {
    pty_id: id,
    cmd: 'echo from-outside | cat',
    reason: 'to see it',
    is_read_only: true,
    wait_ms: 50_000,
  });
  await card().waitFor();
  expect((await card().getByRole('region', { name: 'Command' }).textContent())?.trim()).toBe('echo from-outside | cat');
  expect(await card().textContent()).toContain('“to see it”, read-only');
  await card()
    .getByRole('button', { name: /^Request hash [0-9a-f]{12}$/ })
    .waitFor();
  await page.keyboard.press('Enter'); // the keys are not the card's
  expect(await card().count()).toBe(1);
  await page.waitForTimeout(500); // the card ignores clicks during its first moments
  await card().getByRole('button', { name: 'Allow once' }).click();
  const done = await running;
  expect(done).toMatchObject({ status: 'completed', decision: { by: 'user' } });
  expect(done.output).toContain('from-outside');
  expect(await card().count()).toBe(0);
});

test.skipIf(!BROWSER)('a refusal reaches the client with its reason', async () => {
  const running = call(mcp.client, 'pty_exec', { pty_id: id, cmd: 'echo not-this', wait_ms: 50_000 });
  await card().waitFor();
  await page.waitForTimeout(500);
  await card().getByRole('button', { name: 'Deny with reason' }).click();
  await card().getByLabel('Reason').fill('use the other folder');
  await page.keyboard.press('Enter');
  expect(await running).toMatchObject({ status: 'denied', code: 'DENIED_BY_USER' });
  const { blocks } = await call(mcp.client, 'blocks_since', { limit: 5 });
  // The client sees the result of its command, which never ran and so has no times and output.
  const told = blocks.filter(({ cmd }: { cmd: string }) => cmd.includes('not-this'));
  expect(told).toMatchObject([{ status: 'denied' }]);
  const ran = ['ts_begin', 'ts_end', 'duration_ms', 'exit_code', 'output_lines', 'output_bytes'];
  expect(Object.keys(told[0]).filter((name) => ran.includes(name))).toEqual([]);
  expect((await call(mcp.client, 'blocks_search', { query: 'not-this' })).matches).toEqual([]);
  expect(await page.getByRole('heading', { name: /echo not-this/ }).count()).toBe(0);
});

test.skipIf(!BROWSER)('what the policy denies is refused at once', async () => {
  expect(await refusal(mcp.client, 'pty_exec', { pty_id: id, cmd: 'rm -rf build' })).toMatchObject({
    code: 'DENIED_BY_POLICY',
  });
});

test.skipIf(!BROWSER)('a lease is seen, and a click takes it back', async () => {
  const { lease } = await call(mcp.client, 'pty_control', {
    action: 'request',
    pty_id: id,
    reason: 'to fill in the form',
  });
  await page.getByText('test-client is typing here: to fill in the form').waitFor();
  await page.getByRole('button', { name: 'Take control' }).click();
  await page.getByText('test-client is typing here').waitFor({ state: 'detached' });
  const sent = await refusal(mcp.client, 'pty_send', { pty_id: id, lease_id: lease.lease_id, text: 'x' });
  expect(sent.code).toBe('BUSY');
});

test.skipIf(!BROWSER)(
  'a tab that its person hides is not there for outside clients, open or closed, until it is shown again',
  async () => {
    const listed = async () =>
      (await call(mcp.client, 'pty_list')).ptys.map(({ pty_id }: { pty_id: string }) => pty_id);
    const { blocks } = await call(mcp.client, 'blocks_since', { limit: 1, pty_id: id });
    const tab = page.getByRole('tab').first();
    const choose = async (label: string) => {
      await tab.click({ button: 'right' });
      await page.getByRole('menuitem', { name: label }).click();
    };
    expect(await listed()).toContain(id);
    await choose('Hide from MCP clients');
    await tab.getByRole('img', { name: 'Hidden from MCP clients' }).waitFor();
    expect(await tab.getAttribute('aria-label')).toContain('hidden from MCP clients');
    expect(await listed()).toEqual([]);
    const refused = [
      ['pty_snapshot', { pty_id: id }],
      ['pty_exec', { pty_id: id, cmd: 'pwd' }],
      ['pty_control', { action: 'request', pty_id: id, reason: 'to look' }],
      ['blocks_read', { block_id: blocks[0].block_id }],
    ] as const;
    for (const [tool, args] of refused) {
      const { code } = await refusal(mcp.client, tool, args);
      expect(['PTY_NOT_FOUND', 'BLOCK_NOT_FOUND'], tool).toContain(code);
    }
    expect((await call(mcp.client, 'blocks_search', { query: 'from-outside' })).matches ?? []).toEqual([]);
    await choose('Show to MCP clients');
    await expect.poll(listed).toEqual([id]);
    await choose('Hide from MCP clients');
    await expect.poll(listed).toEqual([]);
    await win.app.stop();
    await win.app.start();
    const after = await connectClient(win.app.home);
    expect((await call(after.client, 'pty_list')).ptys).toEqual([]);
    await after.close();
  },
);
