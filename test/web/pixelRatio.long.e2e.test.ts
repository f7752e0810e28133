import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const LETTER = { width: 7.5, height: 19 };
/** `screen` is Chromium's own pixel ratio, as on a real screen; `emulated` is a ratio that the developer tools set. */
const RATIOS = [
  { screen: 1, drawnBy: 'dom' },
  { screen: 2, drawnBy: 'webgl' },
  { screen: 3, drawnBy: 'dom' },
  { screen: 1, emulated: 2, drawnBy: 'dom' },
  { screen: 1, emulated: 3, drawnBy: 'dom' },
];

/** Layout size of the live terminal's grid, and its renderer. */
function gridOf(page: Page) {
  return page.evaluate(() => {
    const screen = document.querySelector('.live-screen .xterm-screen');
    const { width = 0, height = 0 } = screen?.getBoundingClientRect() ?? {};
    const canvas = screen?.querySelector<HTMLCanvasElement>('canvas:not([class])') ?? null;
    return {
      ratio: devicePixelRatio,
      width,
      height,
      drawnBy: canvas ? 'webgl' : 'dom',
      canvas: canvas && { width: canvas.width / devicePixelRatio, height: canvas.height / devicePixelRatio },
    };
  });
}

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a live terminal', () => {
  const app = new ServedApp();
  const browsers: TestBrowser[] = [];
  afterAll(async () => {
    await Promise.all(browsers.map((browser) => browser.dispose()));
    await app.dispose();
  });

  /** Restarts the core and opens a window in a new browser, with a program that prints its size. */
  async function show(screen: number, options: Parameters<Browser['newContext']>[0]): Promise<TerminalWindow> {
    const args = ['--enable-unsafe-swiftshader', `--force-device-scale-factor=${screen}`, '--window-size=1440,900'];
    const browser = new TestBrowser(args);
    browsers.push(browser);
    await app.stop();
    await app.start();
    const win = new TerminalWindow((await browser.open(app.url, options)).page);
    await win.ready();
    return win;
  }

  test.each(RATIOS)('has letters of one size: screen $screen, emulated $emulated', async (one) => {
    const { screen, emulated, drawnBy } = one;
    const win = await show(screen, emulated ? { deviceScaleFactor: emulated } : { viewport: null });
    const card = await win.start('stty size; sleep 300');
    await win.page.locator('.live-host .xterm-screen').waitFor();
    await expect.poll(() => gridOf(win.page), { timeout: 20_000 }).toMatchObject({ drawnBy });
    const { ratio, width, height, canvas } = await gridOf(win.page);
    expect(ratio).toBe(emulated ?? screen);
    if (canvas) expect(canvas).toEqual({ width, height });
    await win.page.keyboard.press('Control+c');
    await win.ready();
    await soon(() => win.lines(card)).not.toEqual([]);
    const [rows = 0, cols = 0] = ((await win.lines(card))[0] ?? '').split(' ').map(Number);
    expect({ width: width / cols, height: height / rows }).toEqual(LETTER);
    expect((await gridOf(win.page)).drawnBy).toBe(drawnBy); // a renderer that was loaded late
  });

  test('is drawn by the DOM once its window is on a screen that halves a letter', async () => {
    const win = await show(2, { viewport: null });
    await win.start('sleep 300');
    await expect.poll(() => gridOf(win.page), { timeout: 20_000 }).toMatchObject({ ratio: 2, drawnBy: 'webgl' });
    const devtools = await win.page.context().newCDPSession(win.page);
    const { width, height } = await win.page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await devtools.send('Emulation.setDeviceMetricsOverride', metrics);
    await expect.poll(() => gridOf(win.page), { timeout: 20_000 }).toMatchObject({ ratio: 1, drawnBy: 'dom' });
    await devtools.send('Emulation.clearDeviceMetricsOverride');
    await expect.poll(() => gridOf(win.page), { timeout: 20_000 }).toMatchObject({ ratio: 2, drawnBy: 'webgl' });
  });
});
