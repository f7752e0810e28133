import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

/** Reads a single key from the terminal, as pickers do. */
const PICKER = `#!/bin/bash
printf 'pick one: ' > /dev/tty
read -rsn1 key < /dev/tty
echo /
`;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the window at its edges', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'hansard-edges-'));
  const picker = join(folder, 'tide-picker');
  let win: TerminalWindow;

  beforeAll(async () => {
    writeFileSync(picker, PICKER);
    chmodSync(picker, 0o755);
    await app.start();
    const permissions = ['clipboard-read', 'clipboard-write'];
    win = new TerminalWindow((await browser.open(app.url, { permissions })).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const chips = () => win.page.locator('.composer .chips').innerText();
  const isConnected = () => win.page.getByText('Connection to Hansard lost.').count();

  async function paste(text: string): Promise<void> {
    await win.page.evaluate((all) => navigator.clipboard.writeText(all), text);
    await win.page.keyboard.press('Control+Shift+V');
  }

  test('names the program that takes the keys, not the word that the line begins with', async () => {
    await win.ready();
    for (const line of [`cd "$(${picker})"`, `pick() { cd "$(${picker})"; }; pick`, `env PICK=1 ${picker} | cat`]) {
      await win.start(line);
      await soon(chips).toContain('Keys go to tide-picker');
      await win.page.keyboard.press('x');
      await win.ready();
    }
    await soon(() => win.page.locator('.composer .where').innerText()).toBe('/');
    await win.start('sleep 60');
    await soon(chips).toContain('Keys go to sleep');
    await win.page.keyboard.press('Control+c');
    await win.ready();
  });

  test('keys of a line find their way when nothing has the focus, and act once', async () => {
    const drop = () => win.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await win.ready();
    await win.composer.fill('echo from nowheree');
    for (const key of ['Backspace', 'Enter']) {
      await drop();
      await win.page.keyboard.press(key);
    }
    await soon(() => win.card('echo from nowhere').count()).toBe(1);
    await win.ready();
    const card = await win.start('head -n 2 | tail -n 2'); // prints nothing between the lines
    for (const text of ['one', 'two']) {
      await win.page.keyboard.type(text);
      await drop();
      await win.page.keyboard.press('Enter');
    }
    await soon(() => win.lines(card)).toEqual(['one', 'two', 'one', 'two']);
    await win.ready();
  });

  test.each([1000, 10_000])('%i pasted lines are run as one command, and the connection stays', async (count) => {
    await win.ready();
    await win.composer.focus();
    const lines = Array.from({ length: count }, (_, at) => `line ${at}`);
    await paste(["cat <<'END' | tail -n 1", ...lines, 'END'].join('\n'));
    await soon(async () => (await win.composer.inputValue()).length).toBeGreaterThan(count * 6);
    await win.page.keyboard.press('Enter');
    const card = win.card("cat <<'END'");
    await soon(() => win.lines(card)).toEqual([`line ${count - 1}`]);
    expect(await isConnected()).toBe(0);
    await win.ready();
  });

  test('lines pasted into a running program all arrive', async () => {
    for (const count of [1000, 10_000]) {
      const card = await win.start(`head -n ${count} | md5sum`);
      await paste('a line of the tide table\n'.repeat(count));
      await win.dialog.getByRole('button', { name: 'Paste', exact: true }).click();
      await soon(() => win.name(card)).toContain('exit 0');
      expect(await isConnected()).toBe(0);
      await win.ready();
    }
  });

  test('a link does what its tooltip says', async () => {
    const card = await win.run(
      `printf '%s\\n' http://127.0.0.1:9/plain; printf '\\033]8;;http://127.0.0.1:9/hidden\\033\\\\words\\033]8;;\\033\\\\\\n'; echo ${picker}.txt:2`,
    );
    const links = card.locator('[data-link]');
    await soon(() => links.count()).toBe(3);
    const [plain, disguised, place] = [links.nth(0), links.nth(1), links.nth(2)];
    expect(await plain.getAttribute('title')).toBe('http://127.0.0.1:9/plain\nCtrl-click or ⌘-click to open');
    const opened = win.page.context().waitForEvent('page');
    await plain.click({ modifiers: ['Control'] });
    await (await opened).close();
    expect(await disguised.getAttribute('title')).toBe(
      'http://127.0.0.1:9/hidden\nCtrl-click or ⌘-click to open; asks first',
    );
    await disguised.click({ modifiers: ['Control'] });
    await soon(() => win.dialog.innerText()).toContain('http://127.0.0.1:9/hidden');
    await win.page.keyboard.press('Escape');
    expect(await place.getAttribute('title')).toBe(`${picker}.txt:2\nCtrl-click or ⌘-click to open in your editor`);
    await plain.click();
    expect(await win.dialog.count()).toBe(0); // a click without the key selects
    expect(win.page.context().pages()).toHaveLength(1);
  });

  test('the start of a command and ArrowUp find it after a restart of the core', async () => {
    await win.ready();
    for (const line of ['git --version', 'echo between', 'git --exec-path']) await win.run(line);
    await app.stop();
    await app.start();
    const after = new TerminalWindow((await browser.open(app.url)).page);
    await after.ready();
    await after.page.keyboard.type('git');
    for (const line of ['git --exec-path', 'git --version']) {
      await after.page.keyboard.press('ArrowUp');
      await soon(() => after.composer.inputValue()).toBe(line);
    }
    await after.page.keyboard.press('ArrowDown');
    await after.page.keyboard.press('ArrowDown');
    await soon(() => after.composer.inputValue()).toBe('git');
  });

  test.each(['page', 'address bar'])(
    'the address pasted into the %s of a page without a key opens the window',
    async (where) => {
      const other = new ServedApp();
      try {
        await other.start();
        const permissions = ['clipboard-read', 'clipboard-write'];
        const { page, context } = await browser.open(new URL(other.url).origin, { permissions });
        await soon(() => page.getByText('This link has no access token').count()).toBe(1);
        if (where === 'address bar') await page.goto(other.url);
        else {
          await page.evaluate((address) => navigator.clipboard.writeText(address), 'tide table');
          await page.keyboard.press('Control+v');
          await soon(() => page.getByRole('alert').innerText()).toContain('not a Hansard link');
          await page.evaluate((address) => navigator.clipboard.writeText(address), ` ${other.url}\n`);
          await page.keyboard.press('Control+v');
        }
        await new TerminalWindow(page).ready();
        await context.close();
      } finally {
        await other.dispose();
      }
    },
  );
});
