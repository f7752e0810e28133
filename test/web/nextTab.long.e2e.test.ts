import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('keys typed before the core has answered', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  /** Runs `act` while the core is stopped. */
  async function whileStopped(act: () => Promise<void>): Promise<void> {
    process.kill(app.pid, 'SIGSTOP');
    await act().finally(() => process.kill(app.pid, 'SIGCONT'));
  }

  test('are for the new tab, Return and all, and none of them for the old one', async () => {
    await win.ready();
    await win.run('echo first tab');
    await whileStopped(async () => {
      await win.page.keyboard.press('Control+Shift+T');
      await win.page.keyboard.type('echo lasst');
      await win.page.keyboard.press('Backspace');
      await win.page.keyboard.press('Backspace');
      await win.page.keyboard.type('t one');
      await win.page.keyboard.press('Enter');
      await win.page.keyboard.type('echo next');
      await soon(() => win.focused()).toBe('next');
      expect(await win.composer.inputValue()).toBe('');
    });
    await soon(() => win.tabs.count()).toBe(2);
    await soon(() => win.card('echo last one').count()).toBe(1);
    await soon(() => win.composer.inputValue()).toBe('echo next');
    await soon(() => win.lines(win.card('echo last one'))).toEqual(['last one']);
    await win.page.keyboard.press('Control+u');
    await win.tabs.first().click();
    await win.ready();
    expect(await win.card('echo last one').count()).toBe(0);
    expect(await win.composer.inputValue()).toBe('');
  });

  test('are for the tab behind the one that closes', async () => {
    await whileStopped(async () => {
      await win.page.keyboard.press('Control+Shift+W');
      await win.page.keyboard.type('bcr');
      await soon(() => win.focused()).toBe('next');
    });
    await soon(() => win.tabs.count()).toBe(1);
    await soon(() => win.composer.inputValue()).toBe('bcr');
    await win.page.keyboard.press('Control+u');
  });

  test('break the line of the new tab with Shift+Return, and run nothing', async () => {
    await whileStopped(async () => {
      await win.page.keyboard.press('Control+Shift+T');
      await win.page.keyboard.type('echo one');
      await win.page.keyboard.press('Shift+Enter');
      await win.page.keyboard.type('echo two');
    });
    await soon(() => win.tabs.count()).toBe(2);
    await soon(() => win.composer.inputValue()).toBe('echo one\necho two');
    await win.page.keyboard.press('Control+c');
    await win.page.keyboard.press('Control+Shift+W');
    await soon(() => win.tabs.count()).toBe(1);
    await win.ready();
  });

  test('stay in the tab that asks before it closes', async () => {
    await win.start('cat');
    await whileStopped(async () => {
      await win.page.keyboard.press('Alt+Shift+W');
      await win.page.keyboard.type('meow');
    });
    await win.dialog.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => win.liveRows()).toContain('meow');
    await win.page.keyboard.press('Control+c');
    await win.ready();
  });
});
