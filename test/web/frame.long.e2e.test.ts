import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ComposerField } from '../support/ComposerField.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const hasBrowser = BROWSER !== '' && existsSync(BROWSER);

/** A busy machine may need more time, so the timeout is long. */
const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 15_000 });
const composer = (page: Page) => new ComposerField(page);
const tabs = (page: Page) => page.getByRole('tab');
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-keys]')?.dataset.keys ?? 'none');

/** Submits a line and waits until its card says how it ended. */
async function run(page: Page, command: string): Promise<void> {
  const ended = page.getByRole('heading').filter({ hasText: command }).filter({ hasText: 'exit 0' });
  await composer(page).fill(command);
  await page.keyboard.press('Enter');
  await soon(() => ended.count()).toBeGreaterThan(0);
}

/** Starts a long-running line and waits until its program has the keys. */
async function start(page: Page, command: string): Promise<void> {
  await composer(page).fill(command);
  await page.keyboard.press('Enter');
  await page.locator('li.card.running').waitFor();
  await soon(() => focused(page)).toBe('program');
}

describe.skipIf(!hasBrowser)('the frame of the window', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const broken: string[] = [];
  let page: Page;

  beforeAll(async () => {
    await app.start();
    ({ page } = await browser.open('about:blank'));
    page.on('pageerror', (error) => broken.push(String(error)));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`policy: ${violatedDirective} ${blockedURI}`),
      );
    });
    page.on('console', (message) => message.text().startsWith('policy:') && broken.push(message.text()));
    await page.goto(app.url);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test('a first start opens one shell, says one sentence, and the code is gone from the address', async () => {
    await soon(() => tabs(page).count()).toBe(1);
    await soon(() => page.getByText('goes on the record').count()).toBe(1);
    await soon(() => focused(page)).toBe('line');
    expect(new URL(page.url()).hash).toBe('');
  });

  test('Tab completes a file with its spaces quoted, and ↑ brings the line back', async () => {
    await run(page, 'cd "$(mktemp -d)" && touch "two words.txt"');
    await soon(() => page.locator('[data-keys="line"]').innerText()).toContain('tmp.');
    await composer(page).pressSequentially('cat tw');
    await page.keyboard.press('Tab');
    await soon(() => composer(page).inputValue()).toBe('cat two\\ words.txt ');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('ArrowUp');
    await soon(() => composer(page).inputValue()).toContain('touch "two words.txt"');
    await page.keyboard.press('ArrowDown');
    await soon(() => composer(page).inputValue()).toBe('');
  });

  test('while a program runs the keys are its own, and Ctrl+. gives them to the composer and back', async () => {
    await start(page, 'cat');
    await soon(() => page.getByRole('button', { name: /Keys go to cat/ }).count()).toBe(1);
    await page.keyboard.press('Control+.');
    await soon(() => focused(page)).toBe('line');
    await composer(page).fill('from the composer');
    await page.keyboard.press('Enter');
    await soon(() => page.locator('#pane').innerText()).toContain('from the composer');
    await page.keyboard.press('Control+.');
    await soon(() => focused(page)).toBe('program');
    await page.keyboard.press('Control+c');
    await soon(() => focused(page)).toBe('line');
  });

  test('what is typed while a short command runs is the start of the next one', async () => {
    await composer(page).fill('sleep 0.2');
    await page.keyboard.press('Enter');
    await page.keyboard.type('echo ahead');
    await soon(() => page.getByRole('heading', { name: /^sleep 0\.2\s*, exit 0/ }).count()).toBe(1);
    await soon(() => composer(page).inputValue()).toBe('echo ahead');
    await page.keyboard.press('Control+u');
  });

  test('Ctrl+R finds an earlier command and puts it into the prompt', async () => {
    await page.keyboard.press('Control+r');
    await page.getByPlaceholder('Search commands of all terminals').fill('sleep');
    await soon(() => page.getByRole('option', { selected: true }).allInnerTexts()).toEqual([
      expect.stringContaining('sleep'),
    ]);
    await page.keyboard.press('Enter');
    await soon(() => composer(page).inputValue()).toBe('sleep 0.2');
    await soon(() => focused(page)).toBe('line');
    await page.keyboard.press('Control+u');
  });

  test('the palette runs an action by name: a second tab, in the same folder', async () => {
    await page.keyboard.press('Control+Shift+P');
    await page.getByPlaceholder('Search commands…').fill('new tab');
    await page.keyboard.press('Enter');
    await soon(() => tabs(page).nth(1).getAttribute('aria-selected')).toBe('true');
    const places = await tabs(page).evaluateAll((all) =>
      all.map((tab) => tab.getAttribute('aria-label')?.match(/, (.*?):/)?.[1]),
    );
    expect(places[1]).toBe(places[0]);
  });

  test('F2 renames the tab, and the keys walk and move tabs', async () => {
    await page.keyboard.press('F2');
    await page.keyboard.type('Harbour');
    await page.keyboard.press('Enter');
    await soon(() => tabs(page).nth(1).innerText()).toContain('Harbour');
    await page.keyboard.press('Control+1');
    await soon(() => tabs(page).nth(0).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await soon(() => tabs(page).nth(0).innerText()).toContain('Harbour');
    await page.keyboard.press('Control+1');
  });

  test('closing names what still runs, and no leaves it running', async () => {
    await start(page, 'sleep 1000');
    await page.keyboard.press('Control+Shift+W');
    const question = page.getByRole('dialog');
    await soon(() => question.innerText()).toContain('sleep');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => tabs(page).count()).toBe(2);
    await page.keyboard.press('Control+Shift+W');
    await question.getByRole('button', { name: 'Close and end' }).click();
    await soon(() => tabs(page).count()).toBe(1);
  });

  test('a changed key works at once and is in settings.json; a key given twice is shown', async () => {
    await page.keyboard.press('Control+,');
    await page.getByText('Shortcuts', { exact: true }).click();
    await page.getByPlaceholder('Search commands…').fill('toggle tab position');
    await page.getByRole('button', { name: /Press to change/ }).click();
    await page.keyboard.press('Control+Shift+P');
    await soon(() => page.getByText('also used by: Command Palette…').count()).toBe(1);
    await page.getByRole('button', { name: /Press to change/ }).click();
    await page.keyboard.press('F9');
    await soon(() => page.getByText('also used by: Command Palette…').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('F9');
    await soon(() => page.getByRole('tablist').getAttribute('aria-orientation')).toBe('horizontal');
    await page.keyboard.press('F9');
    await soon(() => page.getByRole('tablist').getAttribute('aria-orientation')).toBe('vertical');
  });

  test('the theme follows the system, and a narrow window keeps dots of its tabs', async () => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    await page.emulateMedia({ colorScheme: 'light' });
    await soon(theme).toBe('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await soon(theme).toBe('dark');
    await page.setViewportSize({ width: 900, height: 600 });
    await soon(async () => (await page.locator('aside').boundingBox())?.width).toBe(56);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('a lost core is said, and a page with the key of an earlier start is told what to do', async () => {
    await app.stop();
    await soon(() => page.getByText('Connection to Hansard lost.').count()).toBe(1);
    await page.reload().catch(() => undefined); // the server is down, so the browser shows its error page
    await app.start();
    const other = await browser.open(new URL(app.url).origin);
    await soon(() => other.page.getByText('This link has no access token').count()).toBe(1);
    await other.page.evaluate(() => sessionStorage.setItem('hansard.token', 'of-an-earlier-start'));
    await other.page.reload();
    await soon(() => other.page.getByText('Hansard restarted').count()).toBe(1);
    await other.context.close();
  });

  test('nothing of all this broke the policy or threw', () => {
    expect(broken).toEqual([]);
  });
});
