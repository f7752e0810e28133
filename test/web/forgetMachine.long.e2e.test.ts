import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { FarMachine } from '../machines/rig/FarMachine.ts';
import { SSHD } from '../machines/rig/findProgram.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, TestBrowser } from '../support/WebApp.ts';

const words = strings.machines;

describe.skipIf(SSHD === null || BROWSER === '' || !existsSync(BROWSER))('a machine that cannot be reached', () => {
  const browser = new TestBrowser();
  let machine: FarMachine;
  let win: TerminalWindow;

  beforeAll(async () => {
    machine = await FarMachine.start();
    win = new TerminalWindow((await browser.open(machine.url)).page);
  }, 120_000);

  afterAll(async () => {
    await browser.dispose();
    await machine?.dispose();
  });

  test('is forgotten by the window, which shows what to run there until it is dismissed', {
    timeout: 120_000,
  }, async () => {
    const head = win.page.locator('[data-machine]');
    await head.waitFor();
    machine.line.goDown();
    await machine.is('lost');
    await head.getByRole('button').first().click();
    await win.page.getByRole('menuitem', { name: words.menu.forget }).click();
    await win.dialog.getByRole('checkbox', { name: words.forget.server }).check();
    await win.dialog.getByRole('button', { name: words.forget.confirm }).click();
    await win.dialog.waitFor({ state: 'detached' });
    await head.waitFor({ state: 'detached' });
    const notice = win.page.getByText('box cannot be reached, so the copy of Hansard');
    expect(await notice.innerText()).toContain('`rm -rf ~/.local/share/hansard/server`');
    expect((await machine.core.run('hosts', '--json')).stdout).toMatch(/"hosts": *\[\]/);
    await win.page.waitForTimeout(9_000); // longer than a message that goes by itself
    await notice.locator('xpath=ancestor::*[.//button][1]').getByRole('button').last().click();
    await soon(() => notice.count()).toBe(0);
  });
});
