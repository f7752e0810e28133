import { existsSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the Tab stops of the cards', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const press = (key: string) => win.page.keyboard.press(key);
  const hasFocus = (one: Locator) => one.evaluate((element) => element === document.activeElement);
  const ring = (one: Locator) => one.evaluate((element) => getComputedStyle(element).outlineStyle);
  const inView = (one: Locator) =>
    one.evaluate((card) => {
      const { top, bottom } = card.getBoundingClientRect();
      const view = card.closest('.scroller')?.getBoundingClientRect();
      return view !== undefined && top < view.bottom && bottom > view.top;
    });
  const expectStop = async (card: Locator) => {
    await soon(() => hasFocus(card)).toBe(true);
    expect(await ring(card)).toBe('solid');
    await soon(() => inView(card)).toBe(true);
  };

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test('are one for each card, also for a failed and a running one, and lead back', async () => {
    const ok = await win.run('echo first');
    const tall = await win.run('seq 500');
    const failed = await win.run('(exit 3)');
    const running = await win.start('echo waits; sleep 300');
    await win.choose(tall, strings.cards.expand);
    await ok.focus();
    for (const card of [tall, failed, running]) {
      await press('Tab');
      await expectStop(card);
    }
    for (const card of [failed, tall, ok]) {
      await press('Shift+Tab');
      await expectStop(card);
    }
    await press('Shift+Tab');
    await soon(() => win.page.evaluate(() => document.activeElement?.closest('.card') === null)).toBe(true);
    await press('Tab');
    await expectStop(ok);
  });

  test('lead by the arrows to every button of a card, and from there to the next and back', async () => {
    await win.interruptLeftovers();
    await win.ready();
    const failed = win.card('(exit');
    await win.card('seq').focus();
    await press('Tab');
    await expectStop(failed);
    const buttons = await failed.getByRole('button').all();
    expect(buttons.length).toBeGreaterThan(3);
    for (const button of buttons) {
      await press('ArrowRight');
      await soon(() => hasFocus(button)).toBe(true);
      expect(await ring(button)).toBe('solid');
      expect(await button.evaluate((element) => element.checkVisibility({ opacityProperty: true }))).toBe(true);
    }
    await press('Shift+Tab');
    await expectStop(failed);
    await press('ArrowRight');
    await press('Tab');
    await expectStop(win.card('echo waits'));
    await press('Escape');
    await win.ready();
  });
});
