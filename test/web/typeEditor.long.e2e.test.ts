import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the composer’s editor', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const broken: string[] = [];
  const answers: string[] = [];
  let win: TerminalWindow;
  const loading = Promise.withResolvers<void>();

  beforeAll(async () => {
    await app.start();
    const { page } = await browser.open('about:blank');
    page.on('pageerror', (error) => broken.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && broken.push(message.text()));
    await page.route(/codeEditor/, async (route) => {
      await loading.promise;
      await route.continue();
    });
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => answers.push(String(payload))));
    await page.goto(app.url);
    win = new TerminalWindow(page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  /** Opens a new tab and closes it, which returns to the first. */
  async function elsewhere(): Promise<void> {
    await win.page.keyboard.press('Control+Shift+T');
    await soon(() => win.tabs.count()).toBe(2);
    await soon(() => win.tabs.nth(1).getAttribute('aria-selected')).toBe('true');
    await win.ready();
    expect(await win.composer.inputValue()).toBe('');
    await win.act(strings.tabs.actions.close);
    await soon(() => win.tabs.count()).toBe(1);
    await win.ready();
  }

  /** Presses keys until the composer has `text`; the number of presses depends on the pauses between the earlier keys. */
  async function pressUntil(keys: string, text: string): Promise<void> {
    for (let step = 0; step < 8 && (await win.composer.inputValue()) !== text; step++)
      await win.page.keyboard.press(keys);
    await soon(() => win.composer.inputValue()).toBe(text);
  }

  test('takes keys before CodeMirror is loaded, accepts nothing unseen, and keeps text, caret and focus when it is', async () => {
    await win.ready();
    await win.page.keyboard.type('echo low tide\n');
    await soon(() => win.card('echo low tide').count()).toBe(1);
    await win.ready();
    await win.page.keyboard.type('echo ');
    await soon(() => answers.some((answer) => answer.includes('"data":"echo low tide"'))).toBe(true);
    await win.page.keyboard.press('End');
    expect(await win.page.locator('.composer textarea').inputValue()).toBe('echo ');
    await win.page.keyboard.press('Control+u');
    await win.page.keyboard.type('git stats');
    await win.page.keyboard.press('ArrowLeft');
    expect(await win.page.locator('.composer textarea').count()).toBe(1);
    loading.resolve();
    await soon(() => win.page.locator('.composer .cm-content').count()).toBe(1);
    expect(await win.page.locator('.composer textarea').count()).toBe(0);
    await win.page.keyboard.type('u');
    await soon(() => win.composer.inputValue()).toBe('git status');
  });

  test('colors the command, its options and its strings', async () => {
    await win.composer.fill('git commit -m "low water"');
    const color = (text: string) =>
      win.page
        .locator('.cm-line span', { hasText: text })
        .first()
        .evaluate((word) => getComputedStyle(word).color);
    await soon(async () => new Set([await color('git'), await color('-m'), await color('low water')]).size).toBe(3);
  });

  test('undoes, and edits at several carets', async () => {
    await win.composer.fill('one\ntwo');
    await win.page.keyboard.press('Control+Alt+ArrowUp');
    await win.page.keyboard.type('s');
    await soon(() => win.composer.inputValue()).toBe('ones\ntwos');
    await win.page.keyboard.press('Control+z');
    await soon(() => win.composer.inputValue()).toBe('one\ntwo');
    await win.page.keyboard.press('Alt+Enter');
    await soon(async () => (await win.composer.inputValue()).split('\n').length).toBeGreaterThan(2);
    await win.composer.fill('');
  });

  test('keeps undo, redo and carets while another tab is shown', async () => {
    await win.composer.fill('');
    await win.page.waitForTimeout(600); // CodeMirror joins edits within half a second into one undo step
    await win.page.keyboard.type('echo low ');
    await win.page.waitForTimeout(600);
    await win.page.keyboard.type('tide');
    await pressUntil('Control+z', 'echo low ');
    await win.page.keyboard.press('Alt+Enter');
    await win.page.keyboard.type('two');
    await win.page.keyboard.press('Control+Alt+ArrowUp');
    await elsewhere();
    await win.page.keyboard.type('s');
    await soon(() => win.composer.inputValue()).toBe('echso low \ntwos');
    await elsewhere();
    await pressUntil('Control+z', '');
    await elsewhere();
    await pressUntil('Control+Shift+Z', 'echso low \ntwos');
    await win.composer.fill('');
  });

  test('offers completions while typing, and Return sends the line until one is chosen', async () => {
    const list = win.page.getByRole('listbox', { name: 'Completions' });
    await win.composer.fill('');
    await win.page.keyboard.type('git checko');
    await soon(() => list.getByRole('option').first().innerText()).toContain('checkout');
    expect(await list.getByRole('option').first().innerText()).toMatch(/subcommand$/);
    expect(await list.getByRole('option', { selected: true }).count()).toBe(0);
    await win.page.keyboard.press('Escape');
    await soon(() => list.count()).toBe(0);
    await win.composer.fill('');
    await win.page.keyboard.type('ech');
    await soon(() => list.count()).toBe(1);
    await win.page.keyboard.press('Enter');
    await soon(() => win.card('ech').count()).toBe(1);
    await win.ready();
    await win.composer.fill('');
    await win.page.keyboard.type('git checko');
    await soon(() => list.count()).toBe(1);
    await win.page.keyboard.press('ArrowDown');
    await win.page.keyboard.press('Enter');
    await soon(() => win.composer.inputValue()).toBe('git checkout ');
    await win.composer.fill('');
  });

  test('keeps the list inside the window, ten rows high, in a narrow window too', async () => {
    const list = win.page.getByRole('listbox', { name: 'Completions' });
    for (const width of [640, 1440]) {
      await win.page.setViewportSize({ width, height: 700 });
      await win.composer.fill('');
      await win.page.keyboard.type('git c');
      await soon(() => list.getByRole('option').count()).toBeGreaterThan(10);
      const box = await list.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect(box?.height).toBeLessThanOrEqual(280);
    }
    await win.composer.fill('');
  });

  test('shows the rest of an earlier command, which is text only once it is accepted', async () => {
    const rest = 'ow water, '.padEnd(300, 'spring tide, ').trim();
    await win.run(`echo l${rest}`);
    const height = async () => (await win.page.locator('.composer').boundingBox())?.height;
    const empty = await height();
    const ghost = win.page.locator('.cm-ghost');
    await win.page.keyboard.type('echo l');
    await soon(() => ghost.textContent()).toBe(rest);
    expect(await height()).toBe(empty); // nothing under the composer moves
    expect(await ghost.getAttribute('aria-hidden')).toBe('true');
    expect(await win.composer.inputValue()).toBe('echo l');
    await win.page.keyboard.press('ArrowLeft');
    await soon(() => ghost.count()).toBe(0);
    await win.page.keyboard.press('End');
    expect(await win.composer.inputValue()).toBe('echo l');
    await win.page.keyboard.press('Alt+ArrowRight');
    await soon(() => win.composer.inputValue()).toBe('echo low');
    await win.page.keyboard.press('ArrowRight');
    await soon(() => win.composer.inputValue()).toBe(`echo l${rest}`);
    await win.composer.fill('');
  });

  test('is one line while a program has the keys, takes them by a click, and leaves the terminal its size', async () => {
    const box = win.page.locator('.composer');
    const height = async () => (await box.boundingBox())?.height ?? 0;
    const pane = () => win.page.locator('.tab-pane').evaluate((one) => one.getBoundingClientRect().height);
    const before = { box: await height(), pane: await pane() };
    const card = await win.start('cat');
    await soon(height).toBeLessThan(before.box);
    expect(await pane()).toBe(before.pane);
    await soon(() => box.innerText()).toMatch(/Keys go to .* for the composer/);
    await win.composer.click();
    await soon(() => win.focused()).toBe('line');
    await soon(height).toBe(before.box);
    expect(await pane()).toBe(before.pane);
    await win.page.keyboard.type('ebb');
    await win.page.keyboard.press('Enter');
    await soon(() => win.liveRows()).toEqual(['ebb', 'ebb']);
    await win.page.keyboard.press('Control+.');
    await soon(() => win.focused()).toBe('program');
    await win.page.keyboard.press('Control+d');
    await soon(() => win.name(card)).toContain('exit 0');
    await win.ready();
    expect(await height()).toBe(before.box);
  });

  test('is a text field with a name for screen readers, without spell check', async () => {
    const field = win.page.getByRole('textbox', { name: 'Command', exact: true });
    expect(await field.getAttribute('spellcheck')).toBe('false');
    expect(await field.getAttribute('aria-autocomplete')).toBe('list');
  });

  test('breaks no policy and reports no error', () => {
    expect(broken).toEqual([]);
  });
});
