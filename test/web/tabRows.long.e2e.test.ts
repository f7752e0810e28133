import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const MINUTE_MS = 60_000;
/** The clock of the window's device is so much ahead of the core's. */
const AHEAD_MS = 120 * MINUTE_MS;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the rows of the sidebar', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-rows-')));
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  let goes = 0;
  const press = (keys: string): Promise<void> => win.page.keyboard.press(keys);
  const side = () => win.page.locator('aside').first();
  const width = (): Promise<number> => side().evaluate(({ offsetWidth }: HTMLElement) => offsetWidth);
  const dot = (at: number) => win.tabs.nth(at).locator('.dot');

  beforeAll(async () => {
    await app.start();
    const { page } = await browser.open('about:blank');
    await page.addInitScript((ahead) => {
      const now = Date.now;
      Object.assign(window, { aheadMs: ahead });
      Date.now = () => now() + Reflect.get(window, 'aheadMs');
    }, AHEAD_MS);
    await page.goto(app.url);
    win = new TerminalWindow(page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a command in the shown tab that waits for the returned function, and shows the first tab. */
  async function startBehind(then: string): Promise<() => void> {
    goes += 1;
    const go = join(folder, `go${goes}`);
    await win.start(`until [ -e ${go} ]; do sleep 0.1; done; ${then}`);
    await press('Control+1');
    await soon(() => win.tabs.first().getAttribute('aria-selected')).toBe('true');
    return () => writeFileSync(go, '');
  }

  test('a program’s path is shortened to its name, and the tip has it in full', async () => {
    const deep = join(folder, 'home/me/a/very/long/path/to');
    mkdirSync(deep, { recursive: true });
    const program = join(deep, 'tide-viewer');
    writeFileSync(program, '#!/bin/sh\nprintf "\\033]0;%s\\007" "$0"\nread line\n', { mode: 0o755 });
    await win.ready();
    await win.start(`${program} notes.txt`);
    const label = win.tabs.first().locator('.label');
    await soon(() => label.innerText()).toBe('tide-viewer notes.txt');
    expect(await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    expect(await win.page.title()).toMatch(/^tide-viewer notes\.txt — /);
    await win.tabs.first().hover();
    const tip = win.page.locator('.tip');
    await soon(async () => (await tip.innerText()).split('\n').slice(0, 2)).toEqual([`${program} notes.txt`, program]);
    await win.page.mouse.move(700, 300);
    await soon(() => tip.count()).toBe(0);
    await win.page.keyboard.press('Control+d');
    await win.ready();
    expect(await label.innerText()).toBe('tide-viewer notes.txt');
  });

  test('the duration of a command is by the clock of the core, and goes with its end', async () => {
    const card = await win.start('cat');
    const line = win.tabs.first().locator('.where');
    await soon(() => line.innerText()).toBe('working');
    await soon(() => card.innerText()).toMatch(/\n\d+ s\b/);
    await win.page.evaluate((ms) => Object.assign(window, { aheadMs: ms }), AHEAD_MS + 2 * MINUTE_MS);
    await soon(() => line.innerText()).toBe('working 2 m');
    await soon(() => card.innerText()).toMatch(/\n2 m \d+ s\b/);
    await press('Control+d');
    await win.ready();
    expect(await line.innerText()).not.toContain('working');
    await soon(() => card.innerText()).toMatch(/\n[\d.]+ (?:s|ms)\b/);
    await win.page.evaluate((ms) => Object.assign(window, { aheadMs: ms }), AHEAD_MS);
  });

  test('an end behind is marked until its tab is shown, a failure by red words with its time', async () => {
    const core = connectTo(app.home);
    await core.api.settings.set.mutate({ 'notify.longCommandMs': 1 }).finally(() => core.dispose());
    await win.openTab();
    const fail = await startBehind('(exit 7)');
    fail();
    const failed = win.tabs.nth(1);
    await soon(() => failed.locator('.where').innerText()).toMatch(/^failed \d\d:\d\d · exit 7$/);
    const [, hours, minutes] = /(\d\d):(\d\d)/.exec(await failed.innerText()) ?? [];
    const saidMs = new Date().setHours(Number(hours), Number(minutes), 0, 0);
    expect(Math.abs(Date.now() - saidMs)).toBeLessThan(2 * MINUTE_MS);
    const red = await win.page.evaluate(() => {
      const probe = Object.assign(document.body.appendChild(document.createElement('i')), {
        style: 'color: var(--red)',
      });
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
    expect(await failed.locator('.where').evaluate((words) => getComputedStyle(words).color)).toBe(red);
    expect(await dot(1).getAttribute('class')).toContain('erred');
    await win.page.reload();
    await win.ready();
    await soon(() => failed.locator('.where').innerText()).toMatch(/^failed \d\d:\d\d · exit 7$/);
    await win.openTab();
    const done = await startBehind('true');
    done();
    await soon(() => dot(2).getAttribute('class')).toContain('rang');
    expect(await dot(1).getAttribute('class')).toContain('erred'); // it waits until somebody looks
  });

  test('in a narrow window is a strip whose marks differ by shape, with labels on hover and the settings', async () => {
    await win.openTab();
    await startBehind('true');
    await win.openTab();
    await win.submit('exit 3');
    await soon(() => dot(4).getAttribute('class')).toContain('failed');
    await press('Control+1');
    await win.page.setViewportSize({ width: 900, height: 600 });
    await soon(() => side().getAttribute('class')).toContain('dots');
    expect(await width()).toBeLessThanOrEqual(64);
    const shapes = await win.tabs.locator('.dot').evaluateAll((all) =>
      all.map((one) => {
        const { width, borderRadius, clipPath, rotate, boxShadow, backgroundColor } = getComputedStyle(one);
        const isHollow = backgroundColor.endsWith(', 0)');
        return [width, borderRadius, clipPath, rotate, boxShadow !== 'none', isHollow].join();
      }),
    );
    expect(shapes).toHaveLength(5); // idle, failed command, ended command, running, failed shell
    expect(new Set(shapes).size).toBe(5);
    await win.tabs.nth(1).hover();
    await soon(() => win.page.locator('.tip').innerText()).toContain('exit 7');
    await win.page.getByRole('button', { name: strings.app.actions.settings, exact: true }).click();
    await soon(() => win.dialog.getByRole('heading', { level: 2 }).first().innerText()).toBe('Settings');
    await press('Escape');
    await soon(() => win.dialog.count()).toBe(0);
    await win.page.setViewportSize({ width: 1440, height: 900 });
    await soon(() => side().getAttribute('class')).toContain('side');
  });

  test('are as wide as the mouse drags them, within limits, also after a reload', async () => {
    const drag = async (to: number): Promise<void> => {
      await win.page.mouse.move((await width()) - 1, 400);
      await win.page.mouse.down();
      await win.page.mouse.move(to, 420, { steps: 6 });
      await soon(width).toBe(Math.min(480, Math.max(160, to))); // while it is held
      await win.page.mouse.up();
    };
    const main = () => win.page.getByRole('main').evaluate((one) => one.getBoundingClientRect().left);
    await drag(320);
    expect(await width()).toBe(320);
    expect(await main()).toBe(320);
    await win.page.reload();
    await win.ready();
    await soon(width).toBe(320);
    await drag(900);
    expect(await width()).toBe(480);
    await drag(20);
    expect(await width()).toBe(160);
    await win.page.mouse.dblclick(159, 400);
    await soon(width).toBe(232);
  });
});
