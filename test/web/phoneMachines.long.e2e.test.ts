import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { aMachine } from '../support/aMachine.ts';
import { PretendMachines } from '../support/PretendMachines.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('other machines on a phone', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const pretend = new PretendMachines();
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    const { page } = await browser.open('about:blank', PHONE);
    await pretend.attach(page);
    await page.goto(app.url);
    win = new TerminalWindow(page);
    await win.composer.locator.waitFor();
    pretend.show(aMachine({ key: 'quay01', name: 'quay' }));
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  /** Texts in the head of the page that are cut or lie on each other. */
  const spilled = (title: string) =>
    win.page
      .locator('header')
      .filter({ has: win.page.getByRole('heading', { name: title, exact: true }) })
      .evaluate((head) =>
        [...head.querySelectorAll('button')]
          .filter(
            (button) => button.scrollWidth > button.clientWidth || button.getBoundingClientRect().right > innerWidth,
          )
          .map(({ textContent }) => textContent),
      );

  test.each([
    ['Control+Shift+A', strings.agents.title],
    ['Control+Shift+Y', strings.history.title],
  ])('the head that %s opens has room for the choice of a machine', async (keys, title) => {
    await win.page.keyboard.press(keys);
    await win.page.getByRole('combobox', { name: strings.machines.label }).waitFor();
    expect(await spilled(title)).toEqual([]);
    await win.page.keyboard.press('Escape');
    await soon(() => win.page.getByRole('combobox', { name: strings.machines.label }).count()).toBe(0);
  });
});
