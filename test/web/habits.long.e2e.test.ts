import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

/** The typed text, the pressed keys, and the resulting text. */
const LINES: readonly [typed: string, keys: readonly string[], text: string][] = [
  ['cat src/two', ['Alt+Backspace'], 'cat src/'],
  ['cat src/two', ['Alt+b', 'Alt+b', 'Alt+d'], 'cat /two'],
  ['cat src/two', ['Control+a', 'Alt+f', 'Control+k'], 'cat'],
  ['one two', ['Control+w', 'Control+a', 'Control+y'], 'twoone '],
  ['one two', ['Control+u', 'x', 'Control+y'], 'xone two'],
  ['one', ['Control+a', 'Control+d'], 'ne'],
  ['one', ['Control+h'], 'on'],
  ['one', ['Control+c'], ''],
  ['one two', ['Control+a', 'Control+e', 'x'], 'one twox'],
  ['one two', ['Control+ArrowLeft', 'Control+k', 'Control+ArrowLeft', 'Control+ArrowRight', 'x'], 'onex '],
];

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('habits from other terminals', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await win.page.keyboard.press(key);
  };

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test.each(LINES)('in %j, %j gives %j', async (typed, keys, text) => {
    await win.ready();
    await win.composer.fill('');
    await win.page.keyboard.type(typed);
    await press('Escape', ...keys); // Escape closes completions
    await soon(() => win.composer.inputValue()).toBe(text);
    await win.composer.fill('');
  });

  test('the middle button pastes what is selected in a card, into the composer and into a program', async () => {
    const card = await win.run('echo mooring');
    await card.locator('.line').dblclick({ position: { x: 20, y: 9 } });
    await win.composer.locator.click({ button: 'middle' });
    await soon(() => win.composer.inputValue()).toBe('mooring');
    await win.composer.fill('');
    await win.start('cat');
    await card.locator('.line').dblclick({ position: { x: 20, y: 9 } });
    await win.live.click({ button: 'middle' });
    await soon(() => win.liveRows()).toEqual(['mooring']);
    await press('Control+c');
    await win.ready();
  });

  test('Alt+. inserts the last word of the command before, and of older ones', async () => {
    await win.run('echo older words');
    await win.run('echo newer word');
    await win.page.keyboard.type('ls ');
    await press('Escape', 'Alt+.');
    await soon(() => win.composer.inputValue()).toBe('ls word');
    await press('Alt+.');
    await soon(() => win.composer.inputValue()).toBe('ls words');
    await win.composer.fill('');
  });

  test('brings a closed tab back with its cards and a shell, and Ctrl+9 shows the last one', async () => {
    await win.ready();
    await press('Control+Shift+T');
    await soon(() => win.tabs.count()).toBe(2);
    await soon(() => win.tabs.nth(1).getAttribute('aria-selected')).toBe('true');
    await win.ready();
    await win.run('cd /usr && echo kept');
    await press('Control+Shift+W');
    await soon(() => win.tabs.count()).toBe(1);
    await win.ready();
    await press('Control+Alt+T');
    await soon(() => win.tabs.count()).toBe(2);
    await win.card('cd /usr && echo kept').waitFor();
    const pwd = await win.run('pwd');
    await soon(() => win.lines(pwd)).toEqual(['/usr']);
    await press('Control+1');
    await soon(() => win.tabs.nth(0).getAttribute('aria-selected')).toBe('true');
    await press('Control+9');
    await soon(() => win.tabs.nth(1).getAttribute('aria-selected')).toBe('true');
  });

  test('F3 goes through what was found, from wherever the keys are', async () => {
    await win.card('pwd').waitFor(); // the tab was just shown, and `run` looks for a card that is newer than those drawn
    await win.run('seq 100 130');
    await win.ready();
    await press('Control+f');
    await soon(() => win.page.locator('search.find input:focus').count()).toBe(1);
    await win.page.keyboard.type('12');
    const summary = win.page.locator('search.find output');
    await soon(() => summary.innerText()).toMatch(/of \d+/);
    const before = await summary.innerText();
    await press('F3');
    await soon(() => summary.innerText()).not.toBe(before);
    await press('Shift+F3');
    await soon(() => summary.innerText()).toBe(before);
    await press('Escape');
    expect(await win.page.locator('search.find').count()).toBe(0);
  });
});
