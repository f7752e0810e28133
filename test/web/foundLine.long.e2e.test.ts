import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a search result', () => {
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

  const field = () => win.page.getByPlaceholder('Search terminals, commands and conversations');

  /** Searches everywhere for a text that one line contains, and opens the result. */
  async function jumpTo(text: string): Promise<void> {
    if (!(await field().isVisible())) await win.page.keyboard.press('Control+Shift+F');
    await field().fill(text);
    await win.page.getByText('Exact', { exact: true }).click();
    await soon(() => win.page.locator('.everywhere-item').filter({ hasText: text }).count()).toBeGreaterThan(0);
    await soon(() => win.page.locator('.everywhere-item').first().innerText()).toContain(text);
    await field().press('Enter');
    await soon(() => field().isVisible()).toBe(false);
  }

  /** The marked lines: text, and distance of the line's middle from the view's middle as a fraction of the view's height. */
  function found(): Promise<{ text: string; off: number }[]> {
    return win.page.evaluate(() => {
      const view = document.querySelector('.scroller')?.getBoundingClientRect();
      return [...document.querySelectorAll('.line.is-found')].map((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        const middle = view ? (view.top + view.bottom) / 2 : Number.NaN;
        return { text: line.textContent ?? '', off: Math.abs((top + bottom) / 2 - middle) / (view?.height ?? 1) };
      });
    });
  }

  async function isAt(text: string): Promise<void> {
    await soon(async () => (await found()).map((line) => line.text)).toEqual([text]);
    await soon(async () => (await found())[0]?.off).toBeLessThan(0.2);
  }

  test('lands on its line in the middle of 100,000, centred and marked', async () => {
    await win.run('seq -f "row %.0f of many" 100000');
    for (let at = 0; at < 3; at += 1) await win.run('seq 40');
    await jumpTo('row 61234 of');
    await isAt('row 61234 of many');
  });

  test('and in a line beyond those that wrap', async () => {
    await win.run('seq -f "line %.0f of more" 201000');
    await win.run('seq 40');
    await jumpTo('line 187654 of');
    await isAt('line 187654 of more');
  });

  test('lands in a folded card, which opens', async () => {
    const card = await win.run('seq -f "fold %.0f" 500');
    await win.choose(card, 'Fold');
    await soon(() => card.locator('.folded').count()).toBe(1);
    await win.run('seq 40');
    await jumpTo('fold 377');
    await isAt('fold 377');
  });

  test('lands in a closed terminal', async () => {
    await win.run('echo stay');
    await win.act('New tab');
    await soon(() => win.tabs.count()).toBe(2);
    await soon(() => win.tabs.last().getAttribute('aria-selected')).toBe('true');
    await win.ready();
    await win.run('seq -f "away %.0f" 5000');
    await win.run('echo over');
    await win.act('Close tab');
    await soon(() => win.tabs.count()).toBe(1);
    await jumpTo('away 2718');
    await isAt('away 2718');
  });

  test('has its words selected when the search is opened again', async () => {
    await win.page.keyboard.press('Control+Shift+F');
    await soon(() =>
      field().evaluate(({ value, selectionStart, selectionEnd }: HTMLInputElement) => [
        value,
        selectionStart,
        selectionEnd,
      ]),
    ).toEqual(['away 2718', 0, 'away 2718'.length]);
  });
});
