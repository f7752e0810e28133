import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, TestBrowser } from '../support/WebApp.ts';

const KEY_EVERY_MS = 60;
/** About six seconds of typing, during which the core restarts. */
const KEYS = Array.from({ length: 100 }, (_, n) => String.fromCharCode(97 + (n % 26))).join('');

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a page whose core goes and comes while shells run on', () => {
  const core = new BackgroundCore({ HANSARD_PTY_HOST: 'on' });
  const browser = new TestBrowser();
  let win: TerminalWindow;
  let url: string;

  beforeAll(async () => {
    url = await core.start();
    win = new TerminalWindow((await browser.open(url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await core.run('serve', 'stop', '--force');
    await core.dispose();
  });

  const lost = () => win.page.getByText('Connection to Hansard lost.').count();
  const token = () => win.page.evaluate(() => sessionStorage.getItem('hansard.token'));

  const ways: [string, () => Promise<unknown>][] = [
    ['is restarted', () => core.run('serve', 'restart')],
    [
      'is killed and started again',
      async () => {
        await core.killCore();
        await sleep(500);
        await core.start();
      },
    ],
  ];

  test.each(ways)(
    'is back by itself when it %s, and each key that was typed meanwhile arrives once',
    async (how, away) => {
      const mark = how.replaceAll(' ', '-');
      await win.run(`echo card of ${mark}`);
      const card = await win.start(`printf 'top of ${mark}\\n'; cat`);
      await soon(() => win.liveRows()).toEqual([`top of ${mark}`]);
      const before = { token: await token(), pid: core.pid };
      const going = away();
      for (const key of KEYS) {
        await win.page.keyboard.type(key);
        await sleep(KEY_EVERY_MS);
      }
      await going;
      expect(core.pid).not.toBe(before.pid);
      await soon(lost).toBe(0);
      await win.page.keyboard.press('Enter');
      await soon(() => win.liveRows()).toEqual([`top of ${mark}`, KEYS, KEYS]);
      expect([await token(), new URL(win.page.url()).origin]).toEqual([before.token, new URL(url).origin]);
      await soon(() => win.lines(win.card(`echo card of ${mark}`))).toEqual([`card of ${mark}`]);
      await win.page.keyboard.press('Control+d');
      await win.ready();
      await soon(() => win.name(card)).toContain(', exit 0');
      await soon(() => win.lines(card)).toEqual([`top of ${mark}`, KEYS, KEYS]);
      expect(await win.cards.count()).toBe(how === 'is restarted' ? 2 : 4);
    },
  );

  test('shows the screen of a program that drew on while no core was there', async () => {
    await win.start('vim -u NONE -i NONE +"set nonumber"');
    await win.page.keyboard.type('iwritten before');
    await soon(async () => (await win.liveRows())[0]).toBe('written before');
    await core.killCore();
    await soon(lost).toBe(1);
    await win.page.keyboard.type(', and while no core was there');
    await core.start();
    await soon(lost).toBe(0);
    await soon(async () => (await win.liveRows())[0]).toBe('written before, and while no core was there');
    await win.page.keyboard.press('Escape');
    await win.page.keyboard.type(':q!\n');
    await win.ready();
  });
});
