import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, refusal } from '../mcp/mcpClient.ts';
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
    wait_ms: 50_000,
  });
  await card().waitFor();
  expect((await card().getByLabel('The command').textContent())?.trim()).toBe('echo from-outside | cat');
  expect(await card().textContent()).toContain('to see it');
  await page.keyboard.press('Enter'); // the keys are not the card's
  expect(await card().count()).toBe(1);
  await page.waitForTimeout(500); // the card takes no click before it has stood for a moment
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
  await card().getByRole('button', { name: 'Deny with a reason' }).click();
  await card().getByLabel('Reason').fill('use the other folder');
  await page.keyboard.press('Enter');
  expect(await running).toMatchObject({ status: 'denied', code: 'DENIED_BY_USER' });
  const { blocks } = await call(mcp.client, 'blocks_since', { limit: 5 });
  expect(JSON.stringify(blocks)).not.toContain('not-this');
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
  await page.getByText('test-client types here: to fill in the form').waitFor();
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.getByText('test-client types here').waitFor({ state: 'detached' });
  const sent = await refusal(mcp.client, 'pty_send', { pty_id: id, lease_id: lease.lease_id, text: 'x' });
  expect(sent.code).toBe('BUSY');
});
