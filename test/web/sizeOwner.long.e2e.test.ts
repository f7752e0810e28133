import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

/** Width, height and pixel ratio of one screen at several zooms, and of a window that is dragged. */
const ZOOMS = [
  [1152, 720, 1.25],
  [960, 600, 1.5],
  [1600, 1000, 0.9],
  [1000, 700, 1],
  [901, 650, 1],
  [1300, 800, 1],
] as const;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('two windows of different size on one terminal', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let wide: TerminalWindow;
  let narrow: TerminalWindow;
  /** The columns of a window's terminal, without the tabs, the rail and the margin. */
  const colsOf = async ({ page }: TerminalWindow): Promise<number> =>
    Math.floor((((await page.evaluate(() => document.querySelector('.tab-pane')?.clientWidth)) ?? 0) - 64) / 7.5);
  const note = ({ page }: TerminalWindow) => page.getByText(/Size set by another window/);

  /** All widths that the terminal has had, in columns, from its record. */
  function sizes(): number[] {
    const [id = ''] = readdirSync(join(app.home, 'terminals'));
    const lines = readFileSync(join(app.home, 'terminals', id, 'events.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean);
    return lines
      .map((line) => JSON.parse(line) as { type: string; cols: number })
      .filter(({ type }) => type === 'resize')
      .map(({ cols }) => cols);
  }

  async function columns(win: TerminalWindow): Promise<number> {
    const card = await win.run('tput cols');
    await soon(() => win.lines(card)).toHaveLength(1);
    return Number((await win.lines(card))[0]);
  }

  beforeAll(async () => {
    await app.start();
    wide = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test('the first command of a new terminal sees the width that it is shown in, and no other came before', async () => {
    await wide.ready();
    expect(await columns(wide)).toBe(await colsOf(wide));
    expect(new Set(sizes())).toEqual(new Set(sizes().length === 0 ? [] : [await colsOf(wide)]));
  });

  test('the one that comes has its size, and the other shows it at that size and says so', async () => {
    narrow = await wide.beside(browser, app.url);
    await narrow.page.setViewportSize({ width: 900, height: 500 });
    await narrow.ready();
    await narrow.page.bringToFront();
    await soon(async () => sizes().at(-1)).toBe(await colsOf(narrow));
    await soon(() => note(wide).innerText()).toContain(`${await colsOf(narrow)} ×`);
    await soon(() => note(narrow).count()).toBe(0);
  });

  test('how many columns fit does not depend on how many there were when the letters were measured', async () => {
    const fonts = '**/*.woff2';
    // Delays the font until the terminal exists, because the terminal measures its letters when the font arrives.
    await narrow.page.route(fonts, (route) => setTimeout(() => void route.continue(), 700));
    const before = new Set([...sizes(), await colsOf(wide)]); // it began with the other window's
    for (const width of [910, 900]) {
      await narrow.page.setViewportSize({ width, height: 500 });
      await soon(async () => sizes().at(-1)).toBe(await colsOf(narrow));
      await narrow.page.reload();
      await narrow.ready();
      await narrow.page.evaluate(() => document.fonts.ready.then(() => undefined));
    }
    await narrow.page.unroute(fonts);
    await soon(async () => sizes().at(-1)).toBe(await colsOf(narrow));
    const added = new Set(sizes().filter((cols) => !before.has(cols)));
    expect(added.size).toBe(1); // the fallback font causes no second size
  });

  test('and then nothing moves: neither pulls at it, whatever is printed', async () => {
    const before = sizes().length;
    const card = await narrow.run('seq 3000');
    await soon(() => narrow.name(card)).toContain('exit 0');
    // Longer than all delays together: the pause after a drag, the answer, the redraw.
    await narrow.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
    expect(sizes().length - before).toBe(0);
  });

  test('the room of the one that does not decide may change; the terminal keeps its size', async () => {
    const before = sizes().length;
    await wide.page.setViewportSize({ width: 1300, height: 800 });
    await wide.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    expect(sizes().length - before).toBe(0);
    await soon(() => note(wide).count()).toBe(1);
  });

  test('whoever runs something has its size before it runs', async () => {
    expect(await columns(wide)).toBe(await colsOf(wide));
    await soon(() => note(narrow).count()).toBe(1);
    await soon(() => note(wide).count()).toBe(0);
    expect(await columns(narrow)).toBe(await colsOf(narrow));
    await soon(() => note(wide).count()).toBe(1);
  });

  test('taking over is one click, and one resize', async () => {
    const before = sizes().length;
    await wide.page.getByRole('button', { name: 'Fit to window' }).click();
    await soon(() => note(wide).count()).toBe(0);
    await soon(() => sizes().length - before).toBe(1);
    expect(sizes().at(-1)).toBe(await colsOf(wide));
  });

  test('when the owner leaves, the next one has its size again', async () => {
    expect(await columns(narrow)).toBe(await colsOf(narrow));
    await narrow.page.close();
    await soon(() => sizes().at(-1)).toBe(await colsOf(wide));
    await soon(() => note(wide).count()).toBe(0);
  });

  test('one window alone is sized by no other: while a program floods it, reloaded, zoomed, narrowed, after others were there', async () => {
    const { page } = wide;
    await page.evaluate(() => {
      Object.assign(window, { notes: 0 });
      new MutationObserver(() => {
        if (document.body.textContent?.includes('Size set by')) Object.assign(window, { notes: 1 });
      }).observe(document.body, { subtree: true, childList: true });
    });
    const notes = () => page.evaluate(() => (window as unknown as { notes: number }).notes);
    const zoom = await page.context().newCDPSession(page);
    const flood = await wide.start('yes "$(seq -s " " 200)" | head -c 8000000');
    for (const [width, height, deviceScaleFactor] of ZOOMS) {
      await zoom.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false });
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 150)));
    }
    await soon(() => wide.name(flood)).toContain('exit 0');
    await wide.ready();
    await soon(async () => sizes().at(-1)).toBe(await colsOf(wide));
    expect(await notes()).toBe(0);

    const other = await wide.beside(browser, app.url);
    await other.page.setViewportSize({ width: 900, height: 500 });
    await other.ready();
    await soon(() => note(wide).count()).toBe(1);
    await page.reload();
    await wide.ready();
    await soon(async () => sizes().at(-1)).toBe(await colsOf(wide));
    await soon(() => note(wide).count()).toBe(0);
    expect(await columns(other)).toBe(await colsOf(other));
    await soon(() => note(wide).count()).toBe(1);
    await other.page.close();
    await soon(() => note(wide).count()).toBe(0);
    expect(await columns(wide)).toBe(await colsOf(wide));
    await page.reload();
    await wide.ready();
    expect(await columns(wide)).toBe(await colsOf(wide));
    expect(await note(wide).count()).toBe(0);
  });
});
