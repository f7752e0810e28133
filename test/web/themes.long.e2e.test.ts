import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatHex } from '../../src-main/contract/screen/color.ts';
import { BUILTIN_THEMES } from '../../src-main/shared/themes/builtinThemes.ts';
import { strings } from '../../src-renderer/app/strings.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';
import { WRITE } from '../themes/support/writeThemeFiles.ts';

const hasBrowser = BROWSER !== '' && existsSync(BROWSER);
const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 15_000 });

/** `#282a36` as the browser writes a computed colour. */
const asRgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
const pageColor = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

describe.skipIf(!hasBrowser)('themes', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let page: Page;

  beforeAll(async () => {
    await app.start();
    ({ page } = await browser.open(app.url));
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('[data-keys="line"]').first().waitFor();
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test('every theme of the settings page changes the window and finished output at once', async () => {
    await page.keyboard.press('Control+,');
    for (const kind of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: kind });
      const group = page.getByRole('group', { name: kind === 'dark' ? 'Dark theme' : 'Light theme' });
      await soon(() => group.getByRole('radio').count()).toBe(8);
      for (const theme of BUILTIN_THEMES.filter((other) => other.kind === kind)) {
        await group.getByText(theme.name, { exact: true }).click();
        await soon(() => pageColor(page)).toBe(asRgb(theme.background));
      }
    }
  });

  test('arrow keys walk the themes', async () => {
    const group = page.getByRole('group', { name: 'Dark theme' });
    await group.getByRole('radio', { name: 'Nord' }).focus();
    await page.keyboard.press('ArrowRight');
    const dracula = BUILTIN_THEMES.find(({ id }) => id === 'dracula');
    await soon(() => pageColor(page)).toBe(asRgb(dracula?.background ?? ''));
  });

  test('a chosen theme is there again when the window is loaded', async () => {
    await page.reload();
    await page.locator('[data-keys="line"]').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.palette)).toBe('dracula');
  });

  const colors = {
    foreground: '#eeeeee',
    cursor: '#ffcc00',
    ansi: Array.from({ length: 16 }, (_, at) => formatHex([at * 16, at * 8, 99])),
  };
  const base16 = (background: string) =>
    Array.from({ length: 16 }, (_, at) => {
      const name = `base0${at.toString(16).toUpperCase()}`;
      return `${name}: "${at === 0 ? background.slice(1) : `${at}${at}${at}${at}${at}${at}`.slice(0, 6)}"`;
    }).join('\n');
  const formats: Record<string, (background: string) => string> = {
    ...Object.fromEntries(
      Object.entries(WRITE).map(([name, write]) => [name, (background) => write({ ...colors, background })]),
    ),
    'Harbour.yaml': (background) => `scheme: "Harbour"\nauthor: "me"\n${base16(background)}`,
  };

  test.each(Object.entries(formats))(
    '%s is shown at once and after a reload, and can be removed',
    async (file, write) => {
      const background = '#102030';
      const open = () => page.keyboard.press('Control+,');
      const remove = page.getByRole('button', { name: strings.settings.removeTheme('Harbour'), exact: true });
      if (!(await page.getByRole('dialog').count())) await open();
      const before = await pageColor(page);
      const choose = async (text: string): Promise<void> => {
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('#theme-import').click()]);
        await chooser.setFiles({ name: file, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });
      };
      const whole = write(background);
      await choose(whole.slice(0, Math.floor(whole.length / 2)));
      const fault = page.getByText(/^Harbour[.\w]*: ./);
      await fault.waitFor();
      expect(await fault.innerText()).not.toMatch(/undefined|Error:|at \//);
      expect(await pageColor(page)).toBe(before);
      expect(await remove.count()).toBe(0);
      await choose(whole);
      await soon(() => pageColor(page)).toBe(asRgb(background));
      await page.reload();
      await page.locator('[data-keys="line"]').first().waitFor();
      expect(await pageColor(page)).toBe(asRgb(background));
      await open();
      await remove.click();
      await soon(() => pageColor(page)).toBe(asRgb('#14161a'));
      await page.reload();
      await page.locator('[data-keys="line"]').first().waitFor();
      expect(await pageColor(page)).toBe(asRgb('#14161a'));
      await open();
      expect(await remove.count()).toBe(0);
    },
  );

  test('the search finds rows; a changed setting is effective at once and can be reset', async () => {
    const find = page.getByRole('searchbox', { name: 'Search settings…' });
    const setNumber = async (name: string, value: string) => {
      await find.fill(name);
      await page.getByRole('spinbutton').fill(value);
      await page.keyboard.press('Tab');
    };
    const row = () =>
      page.locator('.tab-pane').evaluate((pane) => (pane as HTMLElement).style.getPropertyValue('--row'));
    await setNumber('line height', '2');
    await soon(() => page.getByRole('spinbutton').count()).toBe(1);
    await soon(row).toBe('25px');
    await page.getByRole('button', { name: 'Reset to default: Line height' }).click();
    await soon(row).toBe('19px');
    const heading = page.getByRole('heading', { name: 'Settings' });
    const size = () => heading.evaluate((title) => getComputedStyle(title).fontSize);
    await setNumber('window.textScale', '200');
    await soon(size).toBe('30px');
    await soon(row).toBe('38px');
    await page.getByRole('button', { name: 'Reset to default: Text size' }).click();
    await soon(size).toBe('15px');
    await find.fill('nothing like that');
    await page.getByText('No matching settings').waitFor();
  });
});
