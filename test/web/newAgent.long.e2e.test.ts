import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a new agent', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-newAgent-')));
  const app = new ServedApp({ env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` } });
  const browser = new TestBrowser();
  let win: TerminalWindow;

  beforeAll(async () => {
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'quay'));
    for (const name of ['codex', 'goose']) {
      writeFileSync(join(folder, 'bin', name), `#!/bin/sh\necho ${name} "$@" in "$PWD"\n`);
      chmodSync(join(folder, 'bin', name), 0o755);
    }
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is started from the menu of a row in its folder, as a command with a card', async () => {
    await win.ready();
    await win.run(`cd ${join(folder, 'quay')}`);
    await win.tabs.first().click({ button: 'right' });
    await win.page.getByRole('menuitem', { name: strings.tabs.menu.newAgentHere }).hover();
    const choices = win.page.getByRole('menuitem', { name: /^(Codex|Goose|Claude|Gemini)/ });
    await soon(() => choices.count()).toBeGreaterThan(1);
    await win.page.getByRole('menuitem', { name: 'Codex' }).click();
    await soon(() => win.tabs.count()).toBe(2);
    await soon(() => win.lines(win.card('codex'))).toEqual([`codex in ${join(folder, 'quay')}`]);
  });

  test('is chosen by keys in the palette, for the folder of the shown tab', async () => {
    await win.ready();
    await win.act(strings.tabs.actions.newAgent);
    await win.page.getByRole('option', { name: 'Goose' }).waitFor();
    await win.page.keyboard.type('Goose');
    await win.page.keyboard.press('Enter');
    await soon(() => win.tabs.count()).toBe(3);
    await soon(() => win.lines(win.card('goose session'))).toEqual([`goose session in ${join(folder, 'quay')}`]);
  });

  test('is started from the head of a project by keys', async () => {
    await win.tabs.first().click();
    await win.ready();
    await win.run('cd /usr');
    await win.page.locator('[data-project]').last().focus();
    await win.page.keyboard.press('Shift+F10');
    await win.page.getByRole('menuitem', { name: strings.tabs.menu.newAgentHere }).waitFor();
    await win.page.getByRole('menuitem', { name: strings.tabs.menu.newAgentHere }).focus();
    await win.page.keyboard.press('ArrowRight');
    await win.page.getByRole('menuitem', { name: 'Codex' }).waitFor();
    await win.page.keyboard.press('Enter');
    await soon(() => win.tabs.count()).toBe(4);
    await soon(() => win.lines(win.card('codex'))).toEqual([`codex in ${join(folder, 'quay')}`]);
  });
});
