import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Settings } from '../../src-main/contract/settings.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a setting is effective at once', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    const permissions = ['clipboard-read', 'clipboard-write'];
    win = new TerminalWindow((await browser.open(app.url, { permissions, locale: 'en-GB' })).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  async function settings(change: Partial<Settings>): Promise<void> {
    const core = connectTo(app.home);
    await core.api.settings.set.mutate(change).finally(() => core.dispose());
  }

  test('groups of tabs by project', async () => {
    await win.run('cd /usr');
    await win.page.keyboard.press('Control+Shift+T');
    await soon(() => win.tabs.count()).toBe(2);
    await soon(() => win.tabs.last().getAttribute('aria-selected')).toBe('true');
    await win.ready();
    await win.run('cd /tmp');
    const heads = () => win.page.locator('[data-project]').count();
    await soon(heads).toBe(2);
    await settings({ 'tabs.groups': false });
    await soon(heads).toBe(0);
    await settings({ 'tabs.groups': true });
    await soon(heads).toBe(2);
  });

  test('density of cards', async () => {
    const card = await win.run('echo one line');
    await soon(() => win.lines(card)).toEqual(['one line']);
    const height = async () => (await card.boundingBox())?.height ?? 0;
    const comfortable = await height();
    await settings({ 'cards.density': 'compact' });
    await soon(height).toBeLessThan(comfortable - 10);
    await settings({ 'cards.density': 'comfortable' });
    await soon(height).toBe(comfortable);
  });

  test('ghost text', async () => {
    const ghost = () => win.page.locator('.cm-ghost').allTextContents();
    await win.ready();
    await win.page.keyboard.type('echo o');
    await soon(ghost).toEqual(['ne line']);
    await settings({ 'composer.ghost': false });
    await win.page.keyboard.type('n');
    await soon(ghost).toEqual([]);
    await settings({ 'composer.ghost': true });
    await win.page.keyboard.press('Backspace');
    await soon(ghost).toEqual(['ne line']);
    await win.composer.fill('');
  });

  test('the clock', async () => {
    const time = () => win.card('echo one line').locator('header').innerText();
    await soon(time).toMatch(/\b\d\d:\d\d\n/);
    await settings({ 'window.clock': '12' });
    await soon(time).toMatch(/\b\d{1,2}:\d\d [AP]M/);
    await settings({ 'window.clock': 'system' });
    await soon(time).not.toMatch(/[AP]M/);
  });

  test('copy on select, which a double click on nothing does not use', async () => {
    const copied = () => win.page.evaluate(() => navigator.clipboard.readText());
    await win.page.evaluate(() => navigator.clipboard.writeText('before'));
    const card = await win.run('echo lighthouse');
    const line = card.locator('.line');
    await settings({ 'terminal.copyOnSelect': true });
    await line.dblclick({ position: { x: 400, y: 9 } });
    await soon(() => win.page.evaluate(() => String(getSelection()).trim())).toBe('');
    expect(await copied()).toBe('before');
    await line.dblclick({ position: { x: 20, y: 9 } });
    await soon(copied).toBe('lighthouse');
    await settings({ 'terminal.copyOnSelect': false });
    await win.page.evaluate(() => navigator.clipboard.writeText('before'));
    await line.dblclick({ position: { x: 20, y: 9 } });
    await soon(() => win.page.evaluate(() => String(getSelection()))).toBe('lighthouse');
    expect(await copied()).toBe('before');
  });

  test('minimum contrast, in finished output and in a live terminal', async () => {
    await win.page.emulateMedia({ colorScheme: 'dark' });
    const prints = String.raw`printf '\033[38;2;30;30;34mdim\033[0m\n'`;
    const card = await win.run(prints);
    const own = 'rgb(30, 30, 34)';
    const color = () => card.locator('.line span').evaluate((one) => getComputedStyle(one).color);
    await soon(color).not.toBe(own);
    await settings({ 'terminal.minimumContrast': 1 });
    await soon(color).toBe(own);
    await win.start(`${prints}; cat`);
    const live = () =>
      win.page
        .locator('.live-host .xterm-rows span', { hasText: /^dim$/ })
        .last()
        .evaluate((one) => getComputedStyle(one).color);
    await soon(live).toBe(own);
    await settings({ 'terminal.minimumContrast': 4.5 });
    await soon(live).not.toBe(own);
    await win.page.keyboard.press('Control+c');
    await win.ready();
  });

  test('the shape of the cursor, unless a program chooses one', async () => {
    await win.start('cat');
    const shape = async () =>
      /xterm-cursor-(\w+)/.exec((await win.page.locator('.live-host .xterm-cursor').getAttribute('class')) ?? '')?.[1];
    await soon(shape).toBe('bar');
    await settings({ 'terminal.cursorShape': 'block' });
    await soon(shape).toBe('block');
    await win.page.keyboard.press('Control+c');
    await win.ready();
    await win.start(String.raw`printf '\033[4 q'; cat`);
    await soon(shape).toBe('underline');
    await win.page.keyboard.press('Control+c');
    await win.ready();
    await win.start(String.raw`printf '\033[0 q'; cat`);
    await soon(shape).toBe('block');
    await win.page.keyboard.press('Control+c');
    await win.ready();
    await settings({ 'terminal.cursorShape': 'bar' });
  });

  test('lines kept above the screen of a running command', async () => {
    /** The first number that Shift+PageUp leads to. */
    const first = async () => {
      for (let page = 0; page < 20; page++) await win.page.keyboard.press('Shift+PageUp');
      return (await win.liveRows())[0];
    };
    await settings({ 'terminal.scrollbackLines': 100 });
    await win.start('seq 1000 1500; cat');
    await soon(async () => (await win.liveRows()).at(-1)).toBe('1500');
    const rows = (await win.liveRows()).length;
    await soon(first).toBe(String(1_501 - rows - 100));
    await win.page.keyboard.press('Control+c');
    await win.ready();
    await settings({ 'terminal.scrollbackLines': 10_000 });
    await win.start('seq 1000 1500; cat');
    await soon(first).toBe('1000');
    await win.page.keyboard.press('Control+c');
    await win.ready();
  });

  test('Option as Meta on a Mac, for the composer and for programs', async () => {
    const mac = await win.beside(browser, app.url, (page) =>
      page.addInitScript(() => Object.defineProperty(navigator, 'platform', { value: 'MacIntel' })),
    );
    await mac.page.bringToFront();
    await mac.ready();
    const keys = await mac.page.context().newCDPSession(mac.page);
    /** As macOS has it for the B of an English keyboard. */
    const optionB = async () => {
      const press = { modifiers: 1, key: '∫', code: 'KeyB', windowsVirtualKeyCode: 66 };
      await keys.send('Input.dispatchKeyEvent', { type: 'keyDown', text: '∫', unmodifiedText: '∫', ...press });
      await keys.send('Input.dispatchKeyEvent', { type: 'keyUp', ...press });
    };
    const line = async () => {
      await mac.composer.fill('echo two');
      await optionB();
      await mac.page.keyboard.type('1');
      return mac.composer.inputValue();
    };
    expect(await line()).toBe('echo 1two');
    await mac.composer.fill('');
    const printed = async () => {
      await mac.start('cat -v');
      await optionB();
      await mac.page.keyboard.type('1\n');
      await soon(async () => (await mac.liveRows()).length).toBeGreaterThan(1);
      const [, answer] = await mac.liveRows();
      await mac.page.keyboard.press('Control+c');
      await mac.ready();
      return answer;
    };
    expect(await printed()).toBe('^[b1');
    await settings({ 'terminal.optionAsMeta': false });
    await soon(line).toBe('echo two∫1');
    await mac.composer.fill('');
    expect(await printed()).toBe('M-bM-^HM-+1');
    await mac.page.close();
  });
});
