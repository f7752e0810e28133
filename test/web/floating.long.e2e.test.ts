import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { ChatWriter, onlyTerminal, writeChat } from '../support/chatRecords.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 900, height: 900 },
  { width: 900, height: 500 },
  { width: 400, height: 300 },
] as const;

/** Selector for all floating elements. */
const FLOATS = '[role="menu"], [role="dialog"], [role="listbox"], .tip';
/** Elements that Escape closes. In a drawer the focus returns to the tab, which then shows its tip. */
const CLOSED = '[role="menu"], [role="dialog"], [role="listbox"]';

/** Lists floating elements that reach over the edges of the window, or whose content overflows and does not scroll. */
function faults(page: Page): Promise<string[]> {
  return page.evaluate((selector) => {
    const found: string[] = [];
    for (const one of document.querySelectorAll<HTMLElement>(selector)) {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const name = `${one.getAttribute('role')} ${one.className} ${[left, top, right, bottom].map(Math.round)}`;
      if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) found.push(`${name} leaves the window`);
      const isCut = one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== 'auto';
      const scrolls = [...one.querySelectorAll('*')].some((part) =>
        /auto|scroll/.test(getComputedStyle(part).overflowY),
      );
      if (isCut && !scrolls) found.push(`${name} hides its end`);
    }
    return found;
  }, FLOATS);
}

/** A terminal with a conversation, whose card and messages have menus of their own. */
function conversation(terminalId: string): ChatWriter {
  const chat = new ChatWriter(terminalId, 'c-one');
  chat.event('cli:newSession', { agent: 'generic' });
  chat.say('user', 'Which tide?');
  for (let at = 0; at < 12; at += 1) chat.say('model', `Answer ${at}`, { log: { text: `Answer ${at}, longer` } });
  return chat;
}

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('what floats over the window', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let page: Page;
  let win: TerminalWindow;

  beforeAll(() => app.start().then(() => undefined));

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  /** Opens a floating element, checks it, and closes it. */
  async function opens(what: string, open: () => Promise<void>): Promise<void> {
    await open();
    await expect.poll(() => page.locator(FLOATS).count(), { message: what, timeout: 20_000 }).toBeGreaterThan(0);
    // An element gets its position a moment after it is drawn.
    await soon(() => faults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await soon(floating).toEqual([]);
  }

  /** Names the floating elements, for the message of a failure. */
  function floating(): Promise<string[]> {
    return page
      .locator(CLOSED)
      .evaluateAll((all) => all.map((one) => `${one.role} ${one.className}: ${one.textContent}`));
  }

  test('has cards, a conversation and many tabs to float over', async () => {
    const first = new TerminalWindow((await browser.open(app.url)).page);
    await first.ready();
    for (let at = 0; at < 8; at += 1) await first.run(`seq ${at}`);
    await app.stop();
    const id = onlyTerminal(app.home);
    writeChat(app.home, id, conversation(id).lines);
    await app.start();
    ({ page } = await browser.open(app.url));
    win = new TerminalWindow(page);
    await win.ready();
    for (let at = 2; at <= 13; at += 1) {
      await page.keyboard.press('Alt+Shift+T');
      await soon(() => win.tabs.count()).toBe(at);
      await soon(() => win.tabs.last().getAttribute('aria-selected')).toBe('true');
    }
  });

  describe.each(SIZES)('at $width × $height', (size) => {
    test('the menu of every button is in the window', async () => {
      await page.setViewportSize(size);
      await showTabs();
      await win.tabs.first().click();
      await soon(() => win.focused()).toBe('line');
      await soon(() => win.cards.count()).toBeGreaterThan(0);
      const count = (await menuButtons()).length;
      expect(count).toBeGreaterThan(size.width < 500 ? 0 : 1); // the others are in the drawer
      for (let at = 0; at < count; at += 1) await opens(`button ${at}`, () => clickButton(at));
    });

    test('the menu of every tab in sight is in the window', async () => {
      await showTabs();
      for (const tab of [win.tabs.first(), win.tabs.last()]) {
        await tab.scrollIntoViewIfNeeded();
        await opens('a tab', () => tab.click({ button: 'right' }));
      }
    });

    test('the menu of a card is in the window, wherever the card is clicked', async () => {
      await showTabs();
      await win.tabs.first().click();
      await soon(() => win.focused()).toBe('line');
      await soon(() => win.cards.count()).toBeGreaterThan(0);
      const { x, y, width, height } = await cardsBox();
      for (const left of [x + 4, x + width / 2, x + width - 16])
        for (const top of [y + 8, y + height / 2, y + height - 8])
          await opens('a card', () => page.mouse.click(left, top, { button: 'right' }));
    });

    test('completions and tips are in the window', async () => {
      await showTabs();
      await win.tabs.last().click();
      await win.ready();
      for (const line of ['ls /usr/bin/', `${'true\n'.repeat(14)}ls /usr/bin/`]) {
        await win.composer.fill(line);
        await opens('completions', () => page.keyboard.press('Tab'));
        expect(await win.focused()).toBe('line');
      }
      await win.composer.fill('');
      await page.mouse.move(size.width / 2, size.height / 2);
      await showTabs();
      await win.tabs.last().hover();
      await soon(() => page.locator('.tip').count()).toBe(1);
      await soon(() => faults(page)).toEqual([]);
      await win.tabs.last().click(); // closes a drawer
      await page.mouse.move(size.width / 2, size.height / 2);
    });

    test.each([
      ['the palette', 'Control+Shift+P'],
      ['earlier commands', 'Control+r'],
      ['the search', 'Control+Shift+F'],
      ['the settings', 'Control+,'],
    ])('%s is in the window', async (what, key) => {
      await opens(what, () => page.keyboard.press(key));
    });
  });

  /** Shows the tabs. A narrow window has them in a drawer, which a click on a tab closes. */
  async function showTabs(): Promise<void> {
    if ((await win.tabs.count()) === 0) await page.getByRole('button', { name: strings.sidebar.drawer.open }).click();
    await soon(() => win.tabs.count()).toBeGreaterThan(0);
  }

  /** Positions of the visible buttons that open an element. Cards and messages show theirs only under the pointer. */
  function menuButtons(): Promise<{ x: number; y: number }[]> {
    return page.evaluate(() =>
      [...document.querySelectorAll('[aria-haspopup]')].flatMap((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const shownBy = button.closest('[role="toolbar"]') ? button.closest('li') : button;
        return button.role !== 'tab' && shownBy?.contains(document.elementFromPoint(x, y)) ? [{ x, y }] : [];
      }),
    );
  }

  /** Clicks a button as a person does: at its current position, with the pointer over its card first. */
  async function clickButton(at: number): Promise<void> {
    await soon(async () => {
      const place = (await menuButtons())[at];
      if (!place) return false;
      await page.mouse.move(place.x, place.y);
      return page.evaluate(
        ({ x, y }) => document.elementFromPoint(x, y)?.closest('[aria-haspopup]') instanceof HTMLElement,
        place,
      );
    }).toBe(true);
    await page.mouse.down();
    await page.mouse.up();
  }

  /** Returns the box around the visible part of the cards. */
  function cardsBox(): Promise<{ x: number; y: number; width: number; height: number }> {
    return page.evaluate(() => {
      const view = document.querySelector('.scroller')?.getBoundingClientRect() ?? new DOMRect();
      const cards = [...document.querySelectorAll('li.card')].map((card) => card.getBoundingClientRect());
      const top = Math.max(view.top, Math.min(...cards.map((card) => card.top)));
      const bottom = Math.min(view.bottom, Math.max(...cards.map((card) => card.bottom)));
      return { x: view.left, y: top, width: view.width, height: bottom - top };
    });
  }
});
