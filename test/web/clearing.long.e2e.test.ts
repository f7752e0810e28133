import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const SHELLS = ['bash', 'zsh', 'fish'].filter((name) => existsSync(`/usr/bin/${name}`) || existsSync(`/bin/${name}`));
const CLEARING = ['clear', String.raw`printf '\033[H\033[2J\033[3J'`, String.raw`printf '\033[H\033[J'`, 'reset'];

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a cleared screen', () => {
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

  /** The headings and dividers that a person sees between the header and the composer. */
  function inView(): Promise<string[]> {
    return win.page.evaluate(() => {
      const view = document.querySelector('.scroller')?.getBoundingClientRect();
      const isSeen = (one: Element) => {
        const { top, bottom, height } = one.getBoundingClientRect();
        return view !== undefined && height > 0 && bottom > view.top + 1 && top < view.bottom - 1;
      };
      return [...document.querySelectorAll<HTMLElement>('.scroller h3, .scroller .divider')]
        .filter(isSeen)
        .map((one) => (one.matches('.divider') ? one.innerText.split(' ')[0] : one.innerText.split('\n')[0]) ?? '');
    });
  }

  /** Counts live emulators in finished cards, which must have none. */
  const inFinishedCards = () => win.page.locator('li.card:not(.running) .live-host').count();

  async function looksCleared(older: string): Promise<void> {
    await win.ready();
    await soon(inView).toEqual([]);
    await soon(inFinishedCards).toBe(0);
    const after = await win.run('echo after');
    await soon(() => win.lines(after)).toEqual(['after']);
    await soon(inView).toEqual(['echo after']);
    const tops = await after.evaluate((card) => [
      card.getBoundingClientRect().top,
      document.querySelector('.scroller')?.getBoundingClientRect().top,
    ]);
    expect(Math.abs((tops[0] ?? 0) - (tops[1] ?? Number.NaN))).toBeLessThan(2);
    await win.page.mouse.move(600, 300);
    await win.page.mouse.wheel(0, -300);
    await soon(async () => (await inView()).slice(-3)).toEqual([older, 'cleared', 'echo after']);
    await win.page.keyboard.press('Escape');
  }

  test('Shift and the page keys scroll the cards from the composer, a page at a time, back to the end', async () => {
    await win.ready();
    for (const count of [50, 51, 52]) {
      const card = await win.run(`seq ${count}`);
      await soon(() => win.lines(card)).toContain(`${count}`); // its height is final
    }
    await win.composer.fill('half a line');
    const place = () =>
      win.page.evaluate(() => {
        const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = document.querySelector('.scroller') ?? {};
        return { top: scrollTop, view: clientHeight, left: scrollHeight - clientHeight - scrollTop };
      });
    const end = await place();
    expect(end.left).toBeLessThan(8);
    await win.page.keyboard.press('Shift+PageUp');
    await soon(async () => end.top - (await place()).top).toBeGreaterThan(end.view * 0.7);
    expect(end.top - (await place()).top).toBeLessThan(end.view);
    await win.page.keyboard.press('Shift+PageDown');
    await soon(async () => (await place()).left).toBeLessThan(8);
    expect(await win.composer.inputValue()).toBe('half a line');
    await win.composer.fill('');
    await win.run('clear');
  });

  describe.each(SHELLS)('in %s', (shell) => {
    test('has a tab', async () => {
      await win.ready();
      const before = await win.tabs.count();
      await win.act(`New ${shell} tab`);
      await soon(() => win.tabs.count()).toBe(before + 1);
      await soon(() => win.tabs.last().getAttribute('aria-selected')).toBe('true');
      await win.ready();
    });

    test.each(CLEARING)('%s leaves an empty view, and the record above it', async (command) => {
      await win.run('seq 40');
      await win.submit(command);
      await looksCleared(command);
    });

    test.each(['Control+l', 'Control+Shift+K'])('%s in the composer does, too', async (key) => {
      await win.run('seq 40');
      await win.ready();
      await win.page.keyboard.press(key);
      await looksCleared('seq 40');
    });

    test('what a command prints after it cleared stays in view, with its card', async () => {
      await win.run('seq 40');
      const card = await win.run('clear; echo kept');
      await soon(inView).toEqual(['clear; echo kept']);
      await soon(() => win.lines(card)).toContain('kept');
      await soon(inFinishedCards).toBe(0);
    });

    test('a command that clears and goes on is in view', async () => {
      await win.start('clear; sleep 30');
      await soon(inView).toEqual(['clear; sleep 30']);
      await win.page.keyboard.press('Control+c');
      await win.ready();
    });

    test('Ctrl+L at the shell’s own prompt leaves one prompt, in no card', async () => {
      await win.run('seq 40');
      await win.ready();
      await win.page.keyboard.press('Control+.');
      await soon(() => win.focused()).toBe('program');
      await win.page.keyboard.press('Control+l');
      await soon(inView).toEqual([]);
      await win.page.keyboard.type('echo here');
      await soon(async () => (await win.liveRows()).join('\n')).toMatch(/echo here$/);
      expect(await inFinishedCards()).toBe(0);
      await win.page.keyboard.press('Enter');
      await soon(() => win.card('echo here').count()).toBe(1);
      await soon(inView).toEqual(['echo here']);
      await win.ready(); // the composer has the keys again
    });
  });
});
