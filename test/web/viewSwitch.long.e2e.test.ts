import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('Cards, Terminal and back', () => {
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

  const isPlain = () => win.page.getByRole('region', { name: 'Terminal', exact: true }).count();
  const pill = () => win.page.locator('.pill');

  async function toTerminal(): Promise<void> {
    await win.page.keyboard.press('Control+Shift+L');
    await soon(isPlain).toBe(1);
    await soon(() => win.cards.count()).toBe(0);
  }

  async function toBlocks(): Promise<void> {
    await win.page.keyboard.press('Control+Shift+L');
    await soon(isPlain).toBe(0);
    await soon(() => win.cards.count()).toBeGreaterThan(0);
  }

  /** Returns the topmost visible line, its offset from the top, and the distance to the end. */
  function place(): Promise<{ line: string; top: number; fromEnd: number }> {
    return win.page.evaluate(() => {
      const scroller = document.querySelector('.scroller') as HTMLElement;
      const { top } = scroller.getBoundingClientRect();
      const line = [...scroller.querySelectorAll('.line')].find((one) => one.getBoundingClientRect().top >= top);
      return {
        line: line?.textContent ?? '',
        top: Math.round((line?.getBoundingClientRect().top ?? 0) - top),
        fromEnd: Math.round(scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop),
      };
    });
  }

  /** Returns the reader's place once the view is drawn and still. */
  async function settled(): ReturnType<typeof place> {
    let before = await place();
    await soon(async () => {
      const now = await place();
      const isStill = now.line !== '' && JSON.stringify(now) === JSON.stringify(before);
      before = now;
      return isStill;
    }).toBe(true);
    return before;
  }

  async function scroll(px: number): Promise<void> {
    await win.page.mouse.move(700, 300);
    await win.page.mouse.wheel(0, px);
  }

  test('a reader at the end comes back to the end, with what was printed meanwhile', async () => {
    await win.ready();
    for (let at = 1; at <= 12; at += 1) await win.run(`seq ${at}01 ${at}40`);
    await toTerminal();
    await win.page.keyboard.type('seq 5000 5030\n');
    await soon(async () => (await win.liveRows()).join('\n')).toContain('5030');
    await toBlocks();
    await soon(() => win.lines(win.card('seq 5000 5030'))).toContain('5030');
    await soon(async () => (await place()).fromEnd).toBe(0);
    expect(await pill().count()).toBe(0);
  });

  test('a reader of an older card comes back to its line, and nothing is new', async () => {
    await scroll(-2500);
    await soon(() => pill().innerText()).toContain('Go to newest');
    const before = await settled();
    expect(before.line).not.toBe('');
    await toTerminal();
    await toBlocks();
    await soon(place).toEqual(before);
    expect(await pill().innerText()).toContain('Go to newest');
  });

  test('what is printed meanwhile is counted, and nothing else', async () => {
    const { line, top } = await settled();
    await toTerminal();
    await win.page.keyboard.type('seq 7000 7002\n');
    await soon(async () => (await win.liveRows()).join('\n')).toContain('7002');
    await toBlocks();
    await soon(() => pill().innerText()).toContain('3 new lines');
    expect(await place()).toMatchObject({ line, top });
  });

  test('a command that ends as the cards come back leaves the keys with the composer', async () => {
    for (const seconds of ['0.05', '0.15', '0.25']) {
      await win.ready();
      await toTerminal();
      await win.page.keyboard.type(`sleep ${seconds}\n`);
      await toBlocks();
    }
    await win.ready();
  });

  test('a reader in the middle of an opened long card comes back to its line', async () => {
    await pill().click();
    await soon(async () => (await place()).fromEnd).toBe(0);
    await win.ready();
    await win.submit('seq 20000');
    const card = win.card('seq 20000'); // by its command: the card before it may be drawn only now
    await card.getByRole('button', { name: /Show all/ }).click();
    await soon(() => card.getByRole('button', { name: /Collapse output/ }).count()).toBe(1);
    const start = await settled();
    await scroll(40_000);
    await soon(async () => start.fromEnd - (await place()).fromEnd).toBeGreaterThan(30_000);
    const before = await settled();
    await toTerminal();
    await toBlocks();
    await soon(place).toEqual(before);
  });

  test('what was cut in the composer comes back by Ctrl+Y after the view was another', async () => {
    await win.ready();
    await win.page.keyboard.type('git stash drop');
    await win.page.keyboard.press('Control+w');
    await win.act(strings.app.actions.promptMode);
    await soon(() => win.focused()).toBe('program');
    await win.act(strings.app.actions.promptMode);
    await win.ready();
    await win.page.keyboard.press('End');
    await win.page.keyboard.press('Control+y');
    await soon(() => win.composer.inputValue()).toBe('git stash drop');
    await win.page.keyboard.press('Control+u');
  });

  test('in the terminal, the search selects a hit in its rows', async () => {
    await win.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await win.run("printf 'needle-%s\\n' 1 2");
    await toTerminal();
    await win.act(strings.cards.list.searchTab);
    await soon(() => win.page.locator('search.find input:focus').count()).toBe(1);
    await win.page.keyboard.type('eedle-2');
    await win.page.keyboard.press('F3');
    await soon(async () => {
      await win.page.keyboard.press('Control+Shift+C');
      return win.page.evaluate(() => navigator.clipboard.readText());
    }).toBe('eedle-2');
    await win.page.keyboard.press('Escape');
    await toBlocks();
  });
});
