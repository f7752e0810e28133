import { existsSync } from 'node:fs';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('text from an input method', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  let input: CDPSession;

  /** What an input method shows underlined until the person accepts it. */
  const compose = (text: string) =>
    input.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  const accept = (text: string) => input.send('Input.insertText', { text });

  beforeAll(async () => {
    await app.start();
    const { page, context } = await browser.open(app.url);
    win = new TerminalWindow(page);
    input = await context.newCDPSession(page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test('goes to the composer and to a program', async () => {
    await win.ready();
    await win.composer.pressSequentially('echo ');
    await compose('に');
    await compose('にほん');
    await accept('日本');
    await soon(() => win.composer.inputValue()).toBe('echo 日本');
    await win.page.keyboard.press('Enter');
    const card = win.card('echo 日本');
    await soon(() => win.lines(card)).toEqual(['日本']);
    await win.ready();
    await win.start('cat');
    await compose('あ');
    await accept('愛');
    await win.page.keyboard.press('Enter');
    await soon(() => win.liveRows()).toEqual(['愛', '愛']);
    await win.page.keyboard.press('Control+d');
    await win.ready();
  });

  test('reaches a program whole when the page is busy until after the next key', async () => {
    await win.ready();
    await win.start('cat');
    const busy = win.page.evaluate(() => {
      const untilMs = performance.now() + 1000;
      while (performance.now() < untilMs);
    });
    await Promise.all([busy, compose('に'), accept('日本'), win.page.keyboard.press('Enter')]);
    await soon(() => win.liveRows()).toEqual(['日本', '日本']);
    await win.page.keyboard.press('Control+d');
    await win.ready();
  });

  test('is in the composer alone when the command ends while it is composed', async () => {
    await win.ready();
    await win.start('sleep 2');
    await compose('に');
    await compose('にほん');
    await win.ready();
    await accept('日本');
    await soon(() => win.composer.inputValue()).toBe('日本');
    await win.page.keyboard.press('Home');
    await win.page.keyboard.type('echo ');
    await win.page.keyboard.press('Enter');
    await soon(() => win.lines(win.card('echo 日本').last())).toEqual(['日本']);
    await win.ready();
    expect(await win.cards.count()).toBe(5);
  });
});
