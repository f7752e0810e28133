import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const STEP_PX = 100;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a browser without scroll anchoring', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    const { page } = await browser.open('about:blank', { viewport: { width: 900, height: 700 } });
    await page.addInitScript(() => {
      const supports = CSS.supports.bind(CSS);
      CSS.supports = (name: string, value?: string) =>
        name !== 'overflow-anchor' && (value === undefined ? supports(name) : supports(name, value));
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('* { overflow-anchor: none !important }');
      document.adoptedStyleSheets.push(sheet);
    });
    await page.goto(app.url);
    win = new TerminalWindow(page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  /** Scrolls up by a step like a reader; resolves with how much further than that the text in view moved. */
  const stepUp = () =>
    win.page.evaluate(async (stepPx) => {
      const list = document.querySelector('li.card')?.closest<HTMLElement>('.scroller');
      if (!list) throw new Error('no list of cards');
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const top = list.getBoundingClientRect().top;
      const seen = [...list.querySelectorAll('[data-n]')].find((row) => row.getBoundingClientRect().top > top + 50);
      const from = seen?.getBoundingClientRect().top ?? 0;
      const isEnd = list.scrollTop <= stepPx;
      list.dispatchEvent(new WheelEvent('wheel', { deltaY: -stepPx, bubbles: true }));
      if (!isEnd) list.scrollTop -= stepPx;
      for (let frames = 0; frames < 4; frames += 1) await frame();
      const movedPx = seen?.isConnected ? seen.getBoundingClientRect().top - from - stepPx : 0;
      return { isEnd, movedPx: isEnd ? 0 : movedPx };
    }, STEP_PX);

  test('does not move a reader when cards above are drawn higher than was estimated', async () => {
    await win.ready();
    for (const lines of [10, 15, 20, 25, 30, 35])
      await win.run(`for n in $(seq ${lines}); do printf '%0${lines * 12}d\\n' $n; done`);
    await win.page.reload();
    await win.ready();
    await soon(() => win.cards.count()).toBeGreaterThan(0);
    const moves: number[] = [];
    for (let steps = 0; steps < 150; steps += 1) {
      const { isEnd, movedPx } = await stepUp();
      if (isEnd) break;
      moves.push(movedPx);
    }
    expect(moves.length).toBeGreaterThan(20);
    expect(moves.filter((px) => Math.abs(px) > 2)).toEqual([]);
  });

  /** Scrolls to where a column of this height ends, as a browser or a reader does; resolves with the distance to the end afterwards. */
  const scrollToEndOf = (heightPx: number, by: 'browser' | 'reader') =>
    win.page.evaluate(
      async ([px, from]) => {
        const list = document.querySelector('li.card')?.closest<HTMLElement>('.scroller');
        if (!list) throw new Error('no list of cards');
        if (from === 'reader') list.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, bubbles: true }));
        list.scrollTop = px - list.clientHeight;
        for (let frames = 0; frames < 4; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
        return Math.round(list.scrollHeight - list.clientHeight - list.scrollTop);
      },
      [heightPx, by] as const,
    );
  /** Height of the column, of a frame that the browser has laid out. */
  const heightPx = () =>
    win.page.evaluate(async () => {
      for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      return document.querySelector('li.card')?.closest('.scroller')?.scrollHeight ?? 0;
    });

  test('returns to the end when Safari falls back to the height of an earlier frame', async () => {
    await win.run('seq 60');
    const before = await heightPx();
    await win.run('echo grown');
    expect(await heightPx()).toBeGreaterThan(before + 20);
    expect(await scrollToEndOf(before, 'browser')).toBeLessThanOrEqual(1);
  });

  test('still follows the end when Safari falls back after keys in a running card', async () => {
    await win.run('seq 60');
    await win.start('read line; echo "$line"');
    const before = await heightPx();
    await win.page.keyboard.type('typed');
    await win.page.keyboard.press('Enter');
    await win.ready();
    await soon(heightPx).toBeGreaterThan(before + 10);
    expect(await scrollToEndOf(before, 'browser')).toBeLessThanOrEqual(1);
    expect(await win.page.getByRole('button', { name: strings.app.goToNewest }).count()).toBe(0);
  });

  test('lets a reader scroll to where the end was', async () => {
    await win.run('seq 60');
    const before = await heightPx();
    await win.run('echo grown');
    const grownPx = (await heightPx()) - before;
    expect(grownPx).toBeGreaterThan(20);
    expect(await scrollToEndOf(before, 'reader')).toBe(grownPx);
  });
});
