import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { axeFaults } from '../support/axe.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the sidebar', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-sidebar-')));
  const repo = join(folder, 'harbour');
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const press = (key: string) => win.page.keyboard.press(key);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: repo });
  const head = (name: string) => win.page.getByRole('button', { name: new RegExp(`^${name}`) });
  const row = (at: number) => win.tabs.nth(at);
  const look = (at: number) => row(at).getAttribute('aria-label');

  beforeAll(async () => {
    mkdirSync(repo);
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'one');
    writeFileSync(join(repo, 'new'), '');
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('terminals of a repository stand under its name, branch and changes', async () => {
    await win.ready();
    await win.openTab();
    await win.run(`cd ${repo}`);
    await soon(() => head('harbour').innerText()).toMatch(/harbour\s+main ±1/i);
    git('checkout', '-qb', 'tides');
    await soon(() => head('harbour').innerText()).toMatch(/tides ±1/);
    await soon(() => look(1)).toContain(`cd ${repo}`);
  });

  test('a project collapses but for the shown tab, is renamed and coloured, and stays so', async () => {
    await press('Control+1');
    await head('harbour').click();
    await soon(() => win.tabs.count()).toBe(1);
    await soon(() => head('harbour').getAttribute('aria-expanded')).toBe('false');
    await head('harbour').click();
    await soon(() => win.tabs.count()).toBe(2);
    const item = async (name: string) => {
      await head('harbour|Quay').click({ button: 'right' });
      await win.page.getByRole('menuitem', { name, exact: true }).click();
    };
    await item('Blue');
    await item('Rename');
    await win.page.getByRole('textbox', { name: /Project name/ }).fill('Quay');
    await press('Enter');
    await soon(() => head('Quay').count()).toBe(1);
    await item('Move up');
    await soon(() => look(0)).toContain(`cd ${repo}`);
    await win.page.reload();
    await soon(() => head('Quay').getAttribute('class')).toContain('blue');
    await soon(() => look(0)).toContain(`cd ${repo}`);
  });

  test('a new terminal of a project starts in its folder', async () => {
    await head('Quay').click({ button: 'right' });
    await win.page.getByRole('menuitem', { name: strings.tabs.menu.newTabHere }).click();
    await soon(() => win.tabs.count()).toBe(3);
    await win.ready();
    const card = await win.run('pwd');
    await soon(() => win.lines(card)).toEqual([repo]);
  });

  test('a listening port comes into its row, opens by a click and goes with its program', async () => {
    const serve = 'require("http").createServer((_, to) => to.end("harbour")).listen(0, "127.0.0.1")';
    await win.start(`${process.execPath} -e '${serve}'`);
    const shown = win.page.getByRole('tab', { selected: true });
    await soon(() => shown.locator('[data-port]').count()).toBe(1);
    const [opened] = await Promise.all([win.page.context().waitForEvent('page'), shown.locator('[data-port]').click()]);
    await soon(() => opened.locator('body').innerText()).toBe('harbour');
    await opened.close();
    await press('Control+c');
    await soon(() => shown.locator('[data-port]').count()).toBe(0);
    await win.ready();
  });

  test('a failure in a tab behind is red until somebody looks', async () => {
    const shown = win.page.getByRole('tab', { selected: true });
    const id = await shown.getAttribute('id');
    const tab = win.page.locator(`[id="${id}"]`);
    const go = join(folder, 'go');
    await win.start(`until [ -e ${go} ]; do sleep 0.1; done; (exit 7)`);
    await press('Control+1');
    await soon(() => tab.getAttribute('aria-selected')).toBe('false');
    writeFileSync(go, '');
    await soon(() => tab.innerText()).toMatch(/failed \d\d:\d\d · exit 7/);
    await tab.click();
    await soon(() => tab.innerText()).not.toContain('failed');
    await win.ready();
  });

  test('what a program says behind is listed, unread until seen, and one key leads there', async () => {
    await press('Control+1');
    const tab = win.page.getByRole('tab', { selected: true });
    const id = await tab.getAttribute('id');
    const go = join(folder, 'say');
    await win.start(`until [ -e ${go} ]; do sleep 0.1; done; printf '\\033]777;notify;Build;<b>done</b>\\007'`);
    await press('Control+2');
    await soon(() => tab.getAttribute('id')).not.toBe(id);
    writeFileSync(go, '');
    const bell = win.page.getByRole('button', { name: 'Notifications, 1 unread' });
    await bell.waitFor();
    await win.page.reload();
    await bell.click();
    await soon(() => win.dialog.getByRole('listitem').innerText()).toMatch(/Build\s+<b>done<\/b>/);
    await press('Escape');
    await soon(() => win.dialog.count()).toBe(0);
    await press('Control+Shift+U');
    await soon(() => tab.getAttribute('id')).toBe(id);
    await win.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    const card = win.card('until [ -e');
    await soon(() => card.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('is usable without a mouse, without colours and with a screen reader, in both themes', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await win.page.emulateMedia({ colorScheme });
      await soon(() => win.page.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme);
      await soon(() => axeFaults(win.page, 'aside')).toEqual([]); // colours take a moment to change
      await win.page.getByRole('button', { name: /^Notifications/ }).click();
      await soon(() => axeFaults(win.page, '[role=dialog]')).toEqual([]);
      await press('Escape');
    }
    await win.page.setViewportSize({ width: 900, height: 700 });
    await soon(() => win.page.locator('aside.dots').count()).toBe(1);
    expect(await axeFaults(win.page, 'aside')).toEqual([]);
    await win.page.setViewportSize({ width: 1440, height: 900 });
  });

  test('its width is kept', async () => {
    const width = () =>
      win.page
        .locator('aside.side')
        .first()
        .evaluate((aside) => aside.clientWidth);
    const before = await width();
    const edge = win.page.getByRole('slider', { name: 'Tab list width in pixels' });
    await edge.focus();
    await press('ArrowRight');
    await soon(width).toBeGreaterThan(before);
    const wide = await width();
    await win.page.reload();
    await soon(width).toBe(wide);
  });
});
