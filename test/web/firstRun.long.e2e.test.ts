import { existsSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const words = strings.welcome;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the first run', () => {
  const apps: ServedApp[] = [];
  const browser = new TestBrowser();
  let app: ServedApp;
  let win: TerminalWindow;

  beforeEach(async () => {
    app = await new ServedApp().start();
    apps.push(app);
    win = new TerminalWindow((await browser.open(app.url, { permissions: [] })).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await Promise.all(apps.map((one) => one.dispose()));
  });

  const panel = () => win.page.getByRole('region', { name: words.title });
  const choice = (name: string) => panel().getByRole('button', { name });
  const isPressed = (name: string) => choice(name).getAttribute('aria-pressed');

  /** The same record in a new core and a new browser. */
  async function again(): Promise<TerminalWindow> {
    await app.stop();
    await app.start();
    const { page } = await browser.open(app.url);
    const next = new TerminalWindow(page);
    await next.ready();
    return next;
  }

  test('shows all of them above the composer of a low window', async () => {
    await win.page.setViewportSize({ width: 900, height: 600 });
    await soon(async () => {
      const shown = await panel().boundingBox();
      const composer = await win.page.locator('.composer').boundingBox();
      return shown && composer && shown.y + shown.height <= composer.y;
    }).toBe(true);
    await win.page.setViewportSize({ width: 1440, height: 900 });
  });

  test('offers three choices, which are effective at once and kept', async () => {
    await panel().waitFor();
    await choice(strings.settings.themes.light).click();
    await soon(() => win.page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
    expect(await isPressed(strings.settings.themes.light)).toBe('true');
    await choice(words.inputs.shell).click();
    await soon(() => isPressed(words.inputs.shell)).toBe('true');
    await win.page.reload();
    await panel().waitFor(); // not done yet, and what was chosen is
    expect(await isPressed(strings.settings.themes.light)).toBe('true');
    expect(await isPressed(words.inputs.shell)).toBe('true');
    await choice(words.inputs.composer).click();
    await win.ready();
    await choice(words.notify.off).click();
    await soon(() => isPressed(words.notify.off)).toBe('true');
    await choice(words.done).click();
    await soon(() => panel().count()).toBe(0);
    await win.page.getByText(strings.app.firstScreen).waitFor();
    const next = await again();
    expect(await next.page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
    expect(await next.page.getByRole('region', { name: words.title }).count()).toBe(0);
  });

  test('loses no key that is typed, and ends with the first command for good', async () => {
    await win.ready();
    await win.page.keyboard.type('echo typed');
    await panel().waitFor();
    await choice(strings.settings.themes.dark).click();
    await win.page.keyboard.type(' at once');
    await soon(() => win.composer.inputValue()).toBe('echo typed at once');
    await win.page.keyboard.press('Enter');
    await soon(() => win.lines(win.card('echo typed'))).toEqual(['typed at once']);
    expect(await panel().count()).toBe(0);
    const next = await again();
    expect(await next.page.getByRole('region', { name: words.title }).count()).toBe(0);
  });

  test('goes away by Escape, in every window', async () => {
    await panel().waitFor();
    const other = await win.beside(browser, app.url);
    await other.page.getByRole('region', { name: words.title }).waitFor();
    await win.ready();
    await win.page.keyboard.type('x');
    await win.page.keyboard.press('Escape');
    expect(await panel().count()).toBe(1); // Escape applied to the typed text
    await win.page.keyboard.press('Control+u');
    await win.page.keyboard.press('Escape');
    await soon(() => panel().count()).toBe(0);
    await soon(() => other.page.getByRole('region', { name: words.title }).count()).toBe(0);
    await win.ready();
  });

  test('asks for the permission to notify only by a click on it', async () => {
    await win.page.addInitScript(() => {
      const asked = { count: 0 };
      Object.assign(window, { asked });
      const requestPermission = async () => {
        asked.count += 1;
        return 'denied';
      };
      Object.assign(window, {
        Notification: Object.assign(() => undefined, { permission: 'default', requestPermission }),
      });
    });
    await panel().waitFor(); // the code in the URL works once: a reload before it is redeemed finds it used
    await win.page.reload();
    await panel().waitFor();
    const asked = () => win.page.evaluate(() => (window as unknown as { asked: { count: number } }).asked.count);
    await choice(strings.settings.themes.dark).click();
    expect(await asked()).toBe(0);
    await choice(`${words.notify.on} ${words.notify.onAbout}`).click();
    await soon(asked).toBe(1);
    await panel().getByText(words.blocked).waitFor();
  });

  test('is reached and used by the keyboard', async () => {
    await panel().waitFor();
    await win.ready();
    await soon(async () => {
      await win.page.keyboard.press('Shift+Tab');
      return win.page.evaluate(() => document.activeElement?.textContent?.trim());
    }).toBe(words.skip);
    await win.page.keyboard.press('Enter');
    await soon(() => panel().count()).toBe(0);
    await win.page.keyboard.type('echo on');
    await soon(() => win.composer.inputValue()).toBe('echo on');
  });
});
