import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { SSHD } from '../machines/rig/findProgram.ts';
import { SshClient } from '../machines/rig/SshClient.ts';
import { type Sshd, startSshd } from '../machines/rig/startSshd.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const words = strings.machines;
const PASSPHRASE = 'correct horse';

describe.skipIf(SSHD === null || BROWSER === '' || !existsSync(BROWSER))('a bare machine behind a real sshd', () => {
  const client = new SshClient();
  const app = new ServedApp({ env: client.env });
  const browser = new TestBrowser();
  let sshd: Sshd;
  let win: TerminalWindow;

  beforeAll(async () => {
    sshd = await startSshd({ client, isBare: true, isUnknown: true, passphrase: PASSPHRASE });
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    await sshd.dispose();
    client.dispose();
  });

  const head = () => win.page.locator('[data-machine]');
  const press = (name: string) => win.dialog.getByRole('button', { name }).click();
  const copies = () => join(sshd.home, '.local/share/hansard/server');

  test('is connected from the window after each question once, and leaves nothing of Hansard once it is forgotten', {
    timeout: 480_000,
  }, async () => {
    await win.ready();
    await win.act(words.actions.connect);
    await win.page.getByRole('option', { name: sshd.name }).click();
    await win.dialog.getByText('SHA256:').waitFor();
    await press(words.question.yes);
    await win.dialog.locator('input[type=password]').fill(PASSPHRASE);
    await win.page.keyboard.press('Enter');
    await win.dialog.getByText(words.question.setup(sshd.name)).waitFor();
    expect(existsSync(copies())).toBe(false);
    await press(words.question.copy);
    await win.dialog.waitFor({ state: 'detached', timeout: 240_000 });
    await soon(() => win.tabs.count()).toBe(2);
    await win.ready();
    const card = await win.run('pwd; cat /proc/sys/kernel/ostype');
    await soon(() => win.lines(card)).toEqual([sshd.home, 'Linux']);
    await head()
      .getByText(/^\d+ ms$/)
      .waitFor();
    expect(readdirSync(copies())).toHaveLength(1);
    expect(existsSync(join(sshd.dataFolder, 'terminals'))).toBe(true);

    await head().getByRole('button').first().click();
    await win.page.getByRole('menuitem', { name: words.menu.forget }).click();
    await win.dialog.getByRole('checkbox', { name: words.forget.server }).check();
    await press(words.forget.confirm);
    await win.dialog.waitFor({ state: 'detached', timeout: 60_000 });
    await head().waitFor({ state: 'detached' });
    await soon(() => existsSync(copies()) && readdirSync(copies())).toBeFalsy();
    expect(readdirSync(join(sshd.dataFolder, 'terminals'))).toHaveLength(1); // the record stays
    await soon(() => win.tabs.count()).toBe(1);
  });
});
