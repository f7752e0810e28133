import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { aMachine } from '../support/aMachine.ts';
import { axeFaults } from '../support/axe.ts';
import { cutOff, ZOOMED_SIZES } from '../support/cutOff.ts';
import { layoutFaults } from '../support/layoutFaults.ts';
import { PretendMachines } from '../support/PretendMachines.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const words = strings.machines;
const SIZES = [{ width: 1440, height: 900 }, { width: 900, height: 600 }, ...ZOOMED_SIZES];
const HOST_KEY = `The authenticity of host 'quay (192.0.2.7)' can't be established.
ED25519 key fingerprint is SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDZIBvQ5E0mYbbkgLw.
This key is not known by any other names.
Are you sure you want to continue connecting (yes/no/[fingerprint])?`;
const QUESTIONS = {
  secret: 'ada@quay’s password:',
  confirm: HOST_KEY,
  setup: 'Hansard is not installed on quay. Copy it to ~/.local/share/hansard/server (74 MB)?',
} as const;

/** Screens that depend on other machines, on an image or on a missing token. */
describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('on a sheet, axe finds nothing and nothing is cut off', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const pretend = new PretendMachines();
  const quay = (change = {}) => aMachine({ key: 'quay01', name: 'quay', ...change });
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    const { page } = await browser.open('about:blank');
    await pretend.attach(page);
    await page.goto(app.url);
    win = new TerminalWindow(page);
  });

  afterEach(async () => {
    const { page } = win;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Escape');
    await win.dialog.waitFor({ state: 'detached' });
    pretend.show(quay());
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  async function expectFaultless(page: Page, name: string): Promise<void> {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await soon(() => axeFaults(page, 'html')).toEqual([]);
    }
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expect.poll(() => cutOff(page), { message: `${size.width} px` }).toEqual([]);
      if (!ZOOMED_SIZES.includes(size))
        await expect.poll(() => layoutFaults(page), { message: `${size.width} px` }).toEqual([]);
      const { HANSARD_TEST_LOOKS: folder } = process.env;
      if (folder) await page.screenshot({ path: `${folder}/${name}-${size.width}.png` });
    }
  }

  async function openMenu(item: string): Promise<void> {
    await win.page.locator('[data-machine="quay01"]').getByRole('button').first().click();
    await win.page.getByRole('menuitem', { name: item }).click();
    await win.dialog.waitFor();
  }

  test.each(['secret', 'confirm', 'setup'] as const)('with a %s question of a host', async (kind) => {
    await win.ready();
    const question = { id: kind, kind, text: QUESTIONS[kind] };
    pretend.show(quay({ state: 'connecting', question }));
    await win.page
      .getByRole('button', { name: words.answerNamed('quay') })
      .first()
      .click();
    await win.dialog.getByText(QUESTIONS[kind].slice(0, 20)).waitFor();
    await expectFaultless(win.page, `question-${kind}`);
  });

  test('with the steps of a connection, and why it failed', async () => {
    await win.ready();
    const question = { id: 'q', kind: 'secret', text: QUESTIONS.secret } as const;
    pretend.show(quay({ state: 'connecting', question }));
    await win.page
      .getByRole('button', { name: words.answerNamed('quay') })
      .first()
      .click();
    pretend.show(quay({ state: 'connecting', step: { words: 'setup', percent: 34 }, info: null }));
    await win.dialog.getByRole('progressbar').waitFor();
    await expectFaultless(win.page, 'steps');
    await win.page.setViewportSize({ width: 1440, height: 900 });
    pretend.show(quay({ state: 'failed', reason: 'Permission denied (publickey).', latencyMs: null }));
    await win.dialog.getByText('Permission denied').waitFor();
    await expectFaultless(win.page, 'failed');
  });

  test('that forwards a port', async () => {
    await win.ready();
    pretend.show(quay({ forwards: [{ port: 5173, localPort: 41_000 }] }));
    await openMenu(words.menu.forward);
    await expectFaultless(win.page, 'forward');
  });

  test('that forgets a host', async () => {
    await win.ready();
    pretend.show(quay());
    await openMenu(words.menu.forget);
    await expectFaultless(win.page, 'forget');
  });

  test('with an image', async () => {
    await win.ready();
    const card = await win.run(`cat ${join(ROOT, 'test/fixtures/images/img2sixel.out')}`);
    await card.locator('.line-image canvas').first().click();
    await win.dialog.locator('canvas').waitFor();
    await expectFaultless(win.page, 'image');
  });

  test('of a page without a token', async () => {
    const { page } = await browser.open(new URL(app.url).origin);
    await page.getByRole('heading', { name: strings.app.name }).waitFor();
    await expectFaultless(page, 'no-token');
    await page.context().close();
  });
});
