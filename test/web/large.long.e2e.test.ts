import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeTerminal, writeWorkspace } from '../bench/writeRecord.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const CARDS = 10_000;
/** Far more than a screen of cards needs, far less than ten thousand would make. */
const MAX_NODES = 8000;
/** Generous for two busy cores; drawing ten thousand cards would take many times as long. */
const OPENS_WITHIN_MS = 10_000;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('records of great length', () => {
  const home = mkdtempSync(join(tmpdir(), 'hansard-large-'));
  const app = new ServedApp({ home });
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const nodes = () => win.page.evaluate(() => document.querySelectorAll('*').length);

  beforeAll(async () => {
    writeTerminal(home, { id: 'long', blocks: CARDS, linesOf: (seq) => 1 + (seq % 7) });
    writeWorkspace(home, ['long']);
    await app.start();
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  beforeEach(() => win?.interruptLeftovers());

  test('ten thousand cards open at their end at once, and the page stays small', async () => {
    const startedMs = Date.now();
    win = new TerminalWindow((await browser.open(app.url)).page);
    await soon(() => win.card(`make part-${CARDS % 97}`).count()).toBe(1);
    expect(Date.now() - startedMs).toBeLessThan(OPENS_WITHIN_MS);
    await soon(() => win.lines(win.cards.last())).toHaveLength(1 + (CARDS % 7));
    expect(await nodes()).toBeLessThan(MAX_NODES);
    const card = await win.run('echo number ten thousand and one');
    await soon(() => win.lines(card)).toEqual(['number ten thousand and one']);
  });

  test('the oldest card is reached by scrolling up, and the newest by one click', async () => {
    const most = { nodes: 0 };
    const first = win.page.locator('[data-flow^="b1-"]');
    await win.page.locator('.scroller').hover();
    await expect
      .poll(
        async () => {
          await win.page.mouse.wheel(0, -400_000);
          most.nodes = Math.max(most.nodes, await nodes());
          return first.count();
        },
        { timeout: 60_000, interval: 30 },
      )
      .toBe(1);
    expect(await win.name(first)).toBe('make part-1, exit 0');
    await soon(() => win.lines(first)).toHaveLength(2);
    await soon(() => first.evaluate((card) => Math.round(card.getBoundingClientRect().top) >= 0)).toBe(true);
    most.nodes = Math.max(most.nodes, await nodes());
    expect(most.nodes).toBeLessThan(MAX_NODES);
    await win.page.getByRole('button', { name: 'Go to newest' }).click();
    await soon(() => win.card('echo number ten thousand and one').isVisible()).toBe(true);
    expect(await nodes()).toBeLessThan(MAX_NODES);
  });

  test('cards that flew by have their lines and their tools once the list stands', async () => {
    const without = () =>
      win.cards.evaluateAll((cards) => {
        const has = (card: Element, part: string) => card.querySelector(part) !== null;
        return cards.filter((card) => !has(card, '.line') || !has(card, '[role=toolbar]')).length;
      });
    const inFlight = await win.page.evaluate(async () => {
      const scroller = document.querySelector('.scroller') as HTMLElement;
      for (let step = 0; step < 12; step += 1) {
        scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -2000, bubbles: true }));
        scroller.scrollTop -= 2000;
        await new Promise(requestAnimationFrame);
      }
      return [...document.querySelectorAll('li.card')].filter((card) => !card.querySelector('[role=toolbar]')).length;
    });
    expect(inFlight).toBeGreaterThan(0);
    await soon(without).toBe(0);
    await win.page.getByRole('button', { name: 'Go to newest' }).click();
    await soon(() => win.card('echo number ten thousand and one').isVisible()).toBe(true);
  });

  test('what a reader looks at stays where it is while a command prints', async () => {
    // A file starts the output, because the wheel scrolls the lines of the card and not the column once the card fills the view.
    const go = join(home, 'go');
    const ticks = 'for i in {1..60}; do echo "tick $i"; read -r -t 0.02; done';
    await win.start(`until [ -e ${go} ]; do read -r -t 0.05; done; ${ticks}; read -r`);
    await win.page.locator('.scroller').hover();
    await win.page.mouse.wheel(0, -3000);
    const pill = win.page.locator('.pill');
    await soon(() => pill.count()).toBe(1);
    const seen = () =>
      win.page.evaluate(() => {
        const top = document.querySelector('.scroller')?.getBoundingClientRect().top ?? 0;
        const card = [...document.querySelectorAll<HTMLElement>('li.card')].find(
          (one) => one.getBoundingClientRect().bottom > top + 40,
        );
        return [card?.dataset.flow, Math.round(card?.getBoundingClientRect().top ?? 0)];
      });
    const before = await seen();
    writeFileSync(go, '');
    await soon(() => pill.innerText()).toMatch(/[1-9]\d* new lines?/);
    expect(await seen()).toEqual(before);
    await soon(() => pill.innerText()).toContain('60 new lines');
    expect(await seen()).toEqual(before);
    await pill.click();
    await soon(() => win.liveRows()).toContain('tick 60');
    await soon(() => pill.count()).toBe(0);
    await win.page.locator('.live-host').click();
    await win.page.keyboard.press('Enter');
    await win.ready();
  });

  test('a million lines show their ends, open in place, and any of them is one search away', async () => {
    const card = await win.run('seq 1 1000000');
    await soon(async () => (await win.lines(card)).slice(0, 2)).toEqual(['1', '2']);
    expect((await win.lines(card)).at(-1)).toBe('1000000');
    await soon(() => card.getByRole('button', { name: 'Show all 1,000,000 lines' }).count()).toBe(1);
    await card.getByRole('button', { name: 'Show all 1,000,000 lines' }).click();
    await soon(() => card.locator('.window').count()).toBe(1);
    const middle = () =>
      win.page.evaluate(() => {
        const scroller = document.querySelector('.scroller');
        const view = document.querySelector('li.card .window');
        if (!scroller || !view) return;
        const from = view.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
        scroller.scrollTop = from + view.getBoundingClientRect().height / 2;
      });
    const inView = () =>
      card
        .locator('.line')
        .evaluateAll((lines) =>
          lines
            .filter((line) => line.getBoundingClientRect().top > 100 && line.getBoundingClientRect().bottom < 600)
            .map((line) => [Number((line as HTMLElement).dataset.n), Number(line.textContent)] as const),
        );
    await soon(async () => {
      await middle();
      return (await inView()).filter(([n]) => n > 100_000).length;
    }).toBeGreaterThan(10);
    for (const [n, shown] of await inView()) {
      expect(shown).toBe(n + 1);
      expect(Math.abs(shown - 500_000)).toBeLessThan(1000);
    }
    expect(await nodes()).toBeLessThan(MAX_NODES);
    await win.page.keyboard.press('Control+Alt+F');
    await win.page.getByPlaceholder('Find in tab').fill('765432');
    await soon(async () => (await inView()).map(([, shown]) => shown)).toContain(765_432);
    await win.page.keyboard.press('Escape');
  });
});
