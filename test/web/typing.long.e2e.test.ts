import { existsSync } from 'node:fs';
import fc from 'fast-check';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

/** Elements that a person may click by mistake. `RUNS` and `RUNS_MORE` exclude buttons that do something. */
const CLICKABLE = [
  'li.card',
  '.line',
  '.card h3',
  '.card .dot',
  'header.bar',
  '.where',
  'aside',
  '[role="tab"]',
  'main',
  'main button',
].join();
const RUNS = /^(Re-run|Fold|Unfold|Copy|Copy as Markdown|Search.*|Split.*|Conversation|···|Terminal|Cards|History.*)$/;
const RUNS_MORE = /Command|More actions|conversation/i;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('what is typed stands in the composer', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  beforeEach(async () => {
    if ((await win.cards.count()) === 0)
      for (const command of ['seq 30', 'echo rebuild', 'false']) await win.run(command);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  async function clickables(): Promise<Locator[]> {
    const shown: Locator[] = [];
    for (const one of await win.page.locator(CLICKABLE).all()) {
      const words = [(await one.innerText()).trim(), (await one.getAttribute('aria-label')) ?? ''];
      const isButton = await one.evaluate((element) => element.tagName === 'BUTTON' && element.role !== 'tab');
      if (isButton && (RUNS.test(words[0] ?? '') || RUNS_MORE.test(words.join(' ')))) continue;
      if ((await one.isVisible()) && (await one.boundingBox())) shown.push(one);
    }
    return shown;
  }

  const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz/ -'), minLength: 3, maxLength: 9 });

  test('no click arms a letter: nothing runs, nothing is marked, folded or opened', async () => {
    await win.ready();
    const before = await win.cards.count();
    const targets = await clickables();
    expect(targets.length).toBeGreaterThan(10);
    const picks = fc.sample(fc.tuple(fc.nat(), word), fuzzRuns(30));
    for (const [pick, text] of [[0, 'rebuild'] as const, ...picks]) {
      const target = targets[pick % targets.length] as Locator;
      await target.click({ position: { x: 3, y: 3 }, force: true, timeout: 5000 });
      await win.page.keyboard.type(text);
      const what = `${JSON.stringify(text)} after a click on ${await target.evaluate((one) => one.outerHTML.slice(0, 90))}`;
      await soon(() => win.composer.inputValue()).toBe(text);
      expect(await win.cards.count(), what).toBe(before);
      expect(await win.page.getByRole('img', { name: 'Bookmarked' }).count(), what).toBe(0);
      expect(await win.page.locator('.folded, [role="dialog"], search').count(), what).toBe(0);
      await win.composer.fill('');
    }
  });

  test('selected text stays selected, and what is typed then still stands in the composer', async () => {
    const line = win.page.locator('.line').first();
    await line.dblclick();
    await soon(() => win.page.evaluate(() => String(getSelection()))).not.toBe('');
    await win.page.keyboard.type('bcer');
    await soon(() => win.composer.inputValue()).toBe('bcer');
    await win.composer.fill('');
  });

  test('letters act in card mode alone, which shows, runs nothing by a letter and ends with Escape or a word', async () => {
    const bar = win.page.getByRole('status').filter({ hasText: 'Card mode' });
    const card = win.card('seq 30');
    const before = await win.cards.count();
    await win.select(card);
    await soon(() => bar.count()).toBe(1);
    await win.page.keyboard.press('Escape');
    await soon(() => bar.count()).toBe(0);
    await win.ready();
    await win.page.keyboard.press('F6');
    await soon(() => bar.count()).toBe(1);
    await win.page.keyboard.press('ArrowUp');
    await soon(() => win.card('echo rebuild').getAttribute('class')).toContain('chosen');
    await win.page.keyboard.type('rebuild');
    await soon(() => win.composer.inputValue()).toBe('rebuild');
    expect(await bar.count()).toBe(0);
    expect(await win.cards.count()).toBe(before);
    await win.composer.fill('');
    await win.select(card);
    await win.page.mouse.click(700, 5);
    await soon(() => bar.count()).toBe(0);
  });

  test('while a program runs, what is typed after a click on a card is the program’s', async () => {
    const running = await win.start('cat');
    await win.card('echo rebuild').getByRole('heading').click();
    await win.page.keyboard.type('rebuild\n');
    await soon(() => win.liveRows()).toEqual(['rebuild', 'rebuild']);
    await win.page.keyboard.press('Control+d');
    await soon(() => win.name(running)).toContain('exit 0');
    await win.ready();
  });
});
