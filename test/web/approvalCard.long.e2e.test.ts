import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../mcp/mcpClient.ts';
import { BROWSER } from '../support/WebApp.ts';
import { ClientWindow } from './ClientWindow.ts';

const win = new ClientWindow();
let { page, mcp, id } = win;

beforeAll(async () => {
  if (!BROWSER) return;
  await win.start();
  ({ page, mcp, id } = win);
  await page.setViewportSize(TALL);
  for (let rows = 0; rows < 100; await page.waitForTimeout(50))
    ({ rows = 0 } = (await call(mcp.client, 'pty_list')).ptys[0] ?? {});
});

afterAll(() => win.dispose());

const PART = 'tar --index-file=list -tf none.tar';
/** A command of nearly the maximum length; only its end needs an approval. */
const LONG = `echo ${'word '.repeat(1590)}; ${PART}`;
/** A window whose terminal has room for the whole command. */
const TALL = { width: 900, height: 3_000 };

const card = () => page.getByRole('region', { name: /asks to run/ });
const allow = () => card().getByRole('button', { name: 'Allow once' });
const more = () => card().getByRole('button', { name: /^Show \d+ more lines?$/ });
const ask = (cmd: string) => call(mcp.client, 'pty_exec', { pty_id: id, cmd, wait_ms: 50_000 });

test.skipIf(!BROWSER)('a long command can be allowed only after its end was seen, by the mouse', async () => {
  const running = ask(LONG);
  await card().waitFor();
  expect(await allow().getAttribute('aria-disabled')).toBe('true');
  const why = await allow().getAttribute('aria-describedby');
  expect(await page.locator(`#${why}`).textContent()).toBe('Scroll to the end of the command to allow it.');
  const lines = Number(/\d+/.exec((await more().textContent()) ?? '')?.[0]);
  expect(lines).toBeGreaterThan(10);
  await page.waitForTimeout(500); // the card ignores clicks during its first moments
  await allow().click({ force: true });
  expect(await card().count()).toBe(1);
  const text = card().getByRole('region', { name: 'Command' }).locator('pre');
  await text.hover();
  await page.mouse.wheel(0, 40);
  await expect.poll(async () => Number(/\d+/.exec((await more().textContent()) ?? '')?.[0])).toBeLessThan(lines);
  expect(await allow().getAttribute('aria-disabled')).toBe('true');
  await page.mouse.wheel(0, 100_000);
  await expect.poll(() => allow().getAttribute('aria-disabled')).toBe('false');
  expect(await more().count()).toBe(0);
  await allow().click();
  expect(await running).toMatchObject({ decision: { by: 'user', choice: 'once', subcommand: PART } });
});

test.skipIf(!BROWSER)('and by the keyboard, page by page', async () => {
  const running = ask(LONG);
  await card().waitFor();
  expect(await allow().getAttribute('aria-disabled')).toBe('true');
  await page.waitForTimeout(500);
  await more().focus();
  const press = async () => {
    if ((await more().count()) > 0) await page.keyboard.press('Enter');
    return allow().getAttribute('aria-disabled');
  };
  await expect.poll(press, { timeout: 20_000 }).toBe('false');
  await allow().press('Enter');
  expect(await running).toMatchObject({ decision: { by: 'user', choice: 'once' } });
});

test.skipIf(!BROWSER)('a short one can be allowed at once; the card says what asks, why, and until when', async () => {
  const running = ask(`pwd; ${PART}`);
  await card().waitFor();
  await expect.poll(() => allow().getAttribute('aria-disabled')).toBe('false');
  expect(await more().count()).toBe(0);
  const text = (await card().textContent()) ?? '';
  expect(text).toMatch(new RegExp(`Needs approval\\s*${PART}`));
  expect(text).toMatch(/Expires in 0:[0-3]\d/);
  const hash = card().getByRole('button', { name: /^Request hash [0-9a-f]{12}$/ });
  await hash.hover();
  await page.getByText(/applies to exactly this command, folder, terminal and screen/).waitFor();
  await card().getByRole('button', { name: 'Deny', exact: true }).click();
  expect(await running).toMatchObject({ status: 'denied' });
});
