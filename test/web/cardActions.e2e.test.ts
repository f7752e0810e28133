import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('cards, by mouse and by keys', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    const { page } = await browser.open(app.url);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    win = new TerminalWindow(page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  const head = (command: string) => win.card(command).locator('header');
  const at = { position: { x: 400, y: 20 } };
  const selected = () => win.page.locator('.card.selected h3 .text').allTextContents();
  const copied = () => win.page.evaluate(() => navigator.clipboard.readText());
  const chosen = () => win.page.locator('.card.chosen h3 .text').allTextContents();

  test('Ctrl and Shift with a click select cards, which are copied, bookmarked, linked and exported as one', async () => {
    for (const command of ['echo one', 'false', 'echo two', 'echo three']) await win.run(command);
    await head('echo one').click({ ...at, modifiers: ['Control'] });
    await soon(selected).toEqual(['echo one']);
    await head('echo two').click({ ...at, modifiers: ['Shift'] });
    await soon(selected).toEqual(['echo one', 'false', 'echo two']);
    await head('false').click({ ...at, modifiers: ['Control'] });
    await soon(selected).toEqual(['echo one', 'echo two']);
    expect(await win.name(win.card('echo one'))).toContain(', selected');
    await soon(() => win.page.getByRole('status').allInnerTexts()).toContain('2 cards selected');
    await win.page.keyboard.press('c');
    await soon(copied).toBe('one\ntwo');
    await win.page.getByRole('button', { name: 'Copy commands' }).click();
    await soon(copied).toBe('echo one\necho two');
    await win.page.getByRole('toolbar', { name: 'Selected cards' }).getByRole('button', { name: 'Bookmark' }).click();
    await soon(() => win.page.getByRole('img', { name: 'Bookmarked' }).count()).toBe(2);
    await win.page.getByRole('button', { name: 'Copy links' }).click();
    await soon(async () => (await copied()).split('\n').map((link) => new URL(link).hash)).toEqual([
      expect.stringMatching(/^#\/terminal\/[\w-]+\/card\/b1-/),
      expect.stringMatching(/^#\/terminal\/[\w-]+\/card\/b3-/),
    ]);
    const [file] = await Promise.all([
      win.page.waitForEvent('download'),
      win.page.getByRole('toolbar', { name: 'Selected cards' }).getByRole('button', { name: 'Export' }).click(),
    ]);
    const exported = readFileSync(await file.path(), 'utf8');
    expect(exported).toMatch(/echo one\n[\s\S]*one\n[\s\S]*echo two\n[\s\S]*two\n/);
    expect(exported).not.toContain('false');
    await win.page.keyboard.press('Escape');
    await soon(selected).toEqual([]);
  });

  test('Shift with the arrows selects in card mode, and Escape clears before it leaves', async () => {
    await win.select(win.card('echo three'));
    await win.page.keyboard.press('Shift+ArrowUp');
    await win.page.keyboard.press('Shift+ArrowUp');
    await soon(selected).toEqual(['false', 'echo two', 'echo three']);
    await win.page.keyboard.press('Shift+ArrowDown');
    await soon(selected).toEqual(['echo two', 'echo three']);
    await win.page.keyboard.press('Shift+C');
    await soon(copied).toBe('echo two\necho three');
    await win.page.keyboard.press('Escape');
    await soon(selected).toEqual([]);
    await soon(chosen).toEqual(['echo two']);
  });

  test('keys jump to the failed card and to bookmarks', async () => {
    await win.page.keyboard.press('Alt+PageUp');
    await soon(chosen).toEqual(['false']);
    await win.page.keyboard.press('Control+Alt+PageUp');
    await soon(chosen).toEqual(['echo one']);
    await win.page.keyboard.press('Alt+PageUp');
    await soon(() => win.page.getByText('No more failed cards').count()).toBe(1);
    await win.page.keyboard.press('Alt+PageDown');
    await soon(chosen).toEqual(['false']);
    await win.page.keyboard.press('Control+Alt+PageDown');
    await soon(chosen).toEqual(['echo two']);
    await win.page.keyboard.press('Escape');
    await win.ready();
  });

  test('the filter that a menu opens takes what is typed next', async () => {
    const card = await win.run('seq 3');
    await win.choose(card, 'Filter lines');
    await soon(() => win.focused()).toBe('text');
    await win.page.keyboard.type('2');
    await soon(() => win.lines(card)).toEqual(['2']);
    await win.page.keyboard.press('Escape');
    await soon(() => win.lines(card)).toEqual(['1', '2', '3']);
  });

  test('a card that does not wrap scrolls sideways by its own arrows and stays one Tab stop', async () => {
    const card = await win.run("printf 'column %.0s' {1..200}; echo");
    await soon(() => card.locator('.line').count()).toBe(1);
    const lineBox = () => card.locator('.line').boundingBox();
    const scrolledPx = () => card.locator('.body').evaluate(({ scrollLeft }) => scrollLeft);
    const wrappedPx = (await lineBox())?.height ?? 0;
    await win.select(card);
    await win.page.keyboard.press('w');
    await soon(async () => (await lineBox())?.height ?? 0).toBeLessThan(wrappedPx / 4);
    await win.page.keyboard.press('ArrowRight');
    await soon(scrolledPx).toBeGreaterThan(0);
    await win.page.keyboard.press('Escape');
    await win.ready();
    await card.locator('.body').evaluate((body) => body.scrollTo({ left: 0 }));
    await card.focus(); // as Tab leads to it, without card mode
    await win.page.keyboard.press('ArrowRight');
    await soon(scrolledPx).toBeGreaterThan(0);
    await win.page.keyboard.press('ArrowLeft');
    await soon(scrolledPx).toBe(0);
    await win.page.keyboard.press('Tab');
    expect(await card.evaluate((element) => element.contains(document.activeElement))).toBe(false);
    await win.select(card);
    await win.page.keyboard.press('w');
    await soon(async () => (await lineBox())?.height).toBe(wrappedPx);
    await win.page.keyboard.press('Escape');
    await win.ready();
  });

  test('a copied link leads to its card, and holds no token', async () => {
    await win.select(win.card('echo one'));
    await win.page.keyboard.press('l');
    await soon(copied).toMatch(/#\/terminal\/[\w-]+\/card\/[\w-]+$/);
    const link = await copied();
    const token = await win.page.evaluate(() => sessionStorage.getItem('hansard.token') ?? '');
    expect(link).not.toContain(token);
    await win.page.keyboard.press('Escape');
    await win.run('seq 100');
    await win.ready();
    await win.page.goto(link); // the hash alone changes: nothing is loaded
    await soon(() => win.page.evaluate(() => document.activeElement?.querySelector('.text')?.textContent)).toBe(
      'echo one',
    );
    expect(await win.page.evaluate(() => location.hash)).toBe('');
    await win.page.goto(link.replace(/card\/.*/, 'card/nowhere'));
    await soon(() => win.page.getByText('this terminal has no card nowhere').count()).toBe(1);
    await win.page.goto(link.replace(/terminal\/.*/, 'terminal/nowhere'));
    await soon(() => win.page.getByText('this record has no terminal nowhere').count()).toBe(1);
  });

  test('a click on the head that is stuck at the top goes to the beginning of its card', async () => {
    await win.page.keyboard.press('Control+End');
    const card = await win.run('seq 59');
    await win.page.mouse.move(600, 300);
    await soon(() => card.locator('.is-stuck').count()).toBe(1);
    await card.locator('header').click(at);
    await soon(() => card.locator('.is-stuck').count()).toBe(0);
    await soon(() => card.locator('.line').first().isVisible()).toBe(true);
  });
});
