import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AuditLog } from '../../src-main/store/audit/auditLog.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { call, refusal } from '../mcp/mcpClient.ts';
import { BROWSER } from '../support/WebApp.ts';
import { ClientWindow } from './ClientWindow.ts';

/** Number of entries from before the core started. */
const EARLIER = 10_000;

describe.skipIf(!BROWSER)('the audit in the window', () => {
  const win = new ClientWindow();
  const path = join(win.app.home, 'audit.jsonl');
  let { page, mcp, id } = win;

  beforeAll(async () => {
    await writeEarlier(path);
    await win.start();
    ({ page, mcp, id } = win);
  });

  afterAll(() => win.dispose());

  const list = () => page.getByRole('listbox', { name: 'Entries, newest first' });
  const row = (text: string) => list().getByRole('option').filter({ hasText: text });
  const first = () => list().getByRole('option').first();

  /** Closes the audit log, even if the previous test failed. */
  beforeEach(async () => {
    for (; (await list().count()) > 0; await page.waitForTimeout(50)) await page.keyboard.press('Escape');
  });

  async function open(): Promise<void> {
    await page.locator('.composer :is(textarea, .cm-content)').first().focus();
    await page.keyboard.press('Alt+Shift+A');
    await row('earlier').first().waitFor();
  }

  test('opens by its key, draws only what is seen of ten thousand entries, and Escape gives the focus back', async () => {
    await open();
    // The additional entry is of the client's read before.
    await page.getByText('Log intact (10,001 entries)').waitFor();
    expect(await list().getByRole('option').count()).toBeLessThan(100);
    expect(await list().getByRole('option').nth(1).textContent()).toContain(`earlier ${EARLIER}`);
    await page.keyboard.press('Escape');
    await list().waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('[data-keys="line"]:focus-within').count()).toBe(1);
  });

  test('is live: what a client does stands on top, with its terminal’s name and how it was decided', async () => {
    await open();
    await call(mcp.client, 'pty_exec', { pty_id: id, cmd: 'pwd', wait_ms: 20_000 });
    await row('rule allow[0]').waitFor();
    await refusal(mcp.client, 'pty_exec', { pty_id: id, cmd: 'rm -rf build' });
    await row('rm -rf build').waitFor();
    for (const words of ['test-client', 'pwd', 'Command', 'rm -rf build', 'Denied by deny[0]'])
      await expect.poll(() => first().textContent()).toContain(words); // the name of the terminal follows its last command
  });

  test('is walked through with the keys; an entry leads to its card', async () => {
    await open();
    await list().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const detail = page.getByRole('region', { name: /^Entry/ });
    expect(await detail.textContent()).toMatch(/[0-9a-f]{64}/);
    await page.keyboard.press('Escape'); // the entry first
    await detail.waitFor({ state: 'detached' });
    expect(await list().count()).toBe(1);
    await page.keyboard.press('Enter');
    await detail.getByRole('button', { name: 'Show card' }).click();
    await list().waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toContain('pwd');
  });

  test('is filtered by client and decision', async () => {
    await open();
    await page.getByLabel('Client').selectOption('test-client');
    await page.getByLabel('Kind').selectOption('Actions');
    await expect.poll(() => list().getByRole('option').count()).toBe(2);
    await page.getByRole('group', { name: 'Decision' }).getByText('Denied').click();
    await expect.poll(() => list().getByRole('option').count()).toBe(1);
    await page.getByRole('group', { name: 'Decision' }).getByText('Expired').click();
    await page.getByText('No matching entries').waitFor();
    await page.getByRole('button', { name: 'Show all entries' }).click();
    await row('earlier').first().waitFor();
  });

  test('tells what a client looked at, how often, and apart from what it did where that is wanted', async () => {
    for (let n = 0; n < 3; n++) await call(mcp.client, 'pty_snapshot', { pty_id: id });
    await refusal(mcp.client, 'pty_snapshot', { pty_id: 'made-up' });
    await open();
    await page.getByLabel('Kind').selectOption('Reads');
    await row('made-up').waitFor();
    expect(await row('earlier').count()).toBe(0);
    expect(await row('Command').count()).toBe(0);
    const said = (await row('Read allowed').filter({ hasText: 'Screen' }).textContent()) ?? '';
    for (const words of ['test-client', 'pwd', 'the screen']) expect(said).toContain(words);
    expect(await row('made-up').textContent()).toContain('Terminal not found');
    await call(mcp.client, 'pty_status', { pty_id: id }); // while it is open
    await row('its state').click();
    const detail = page.getByRole('region', { name: /^Entry/ });
    expect(await detail.textContent()).toMatch(/Stands for\s*1 call/);
    await call(mcp.client, 'pty_exec', { pty_id: id, cmd: 'pwd', wait_ms: 20_000 }); // a call that acts does not belong to the reads
    await page.getByLabel('Kind').selectOption('Actions');
    await expect.poll(() => row('Read allowed').count()).toBe(0);
    await row('pwd').first().waitFor();
  });

  test('what cannot be seen is named, and nothing is HTML', async () => {
    await open();
    await page.getByLabel('Client').selectOption('‹U+202E›sneaky');
    await row('U+202E').first().waitFor();
    expect(await first().locator('img').count()).toBe(0);
    expect(await first().textContent()).toContain('<img src=x>');
  });

  test('reaches the oldest entry', async () => {
    await open();
    const toEnd = async (): Promise<string | null> => {
      await list().evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return list().getByRole('option').last().textContent();
    };
    await expect.poll(toEnd, { timeout: 60_000, interval: 20 }).toMatch(/earlier 1(?!\d)/);
  });

  test('an entry that was changed is named, marked, and what it means is said', async () => {
    await open();
    const good = readFileSync(path);
    writeFileSync(path, good.toString().replace('"what":"earlier 9990"', '"what":"other   9990"'));
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('1 integrity problem').waitFor();
    await page.getByText('This entry was changed after it was written.').waitFor();
    await expect.poll(() => list().locator('.broken').count()).toBe(1);
    writeFileSync(path, good);
  });

  test('a tab in which a client asks says so, and the key for the next one leads there', async () => {
    const tabs = await page.getByRole('tab').count();
    await page.keyboard.press('Alt+Shift+T');
    await expect.poll(() => page.getByRole('tab').count()).toBe(tabs + 1);
    const asked = call(mcp.client, 'pty_exec', { pty_id: id, cmd: 'echo asked | cat', wait_ms: 50_000 });
    await page.getByRole('tab', { name: /approve: echo asked/ }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    await page.keyboard.press('Alt+Shift+J');
    const card = page.getByRole('region', { name: /asks to run/ });
    await card.waitFor();
    await page.waitForTimeout(500); // the card ignores clicks during its first moments
    await card.getByRole('button', { name: 'Deny', exact: true }).click();
    expect(await asked).toMatchObject({ status: 'denied' });
    await expect.poll(() => page.title()).not.toMatch(/^\(/);
  });
});

/** Writes ten thousand entries of other clients, one of them with invisible characters in its name. */
async function writeEarlier(path: string): Promise<void> {
  const { log } = await AuditLog.open(path, { clock: systemClock, log: silentLog, clean: (text) => text });
  for (let at = 1; at <= EARLIER; at++) {
    const isSneaky = at === EARLIER - 3;
    void log.write({
      client: isSneaky ? '\u202esneaky' : `client-${at % 4}`,
      callerPty: null,
      pty: at % 5 ? 'gone' : null,
      tool: 'pty_exec',
      what: isSneaky ? `<img src=x> earlier ${at}` : `earlier ${at}`,
      args: {},
      decision: at % 2 ? 'allowed' : 'approved',
      rule: at % 2 ? 'allow[1]' : 'once',
      bytes: 12,
    });
  }
  await log.close();
}
