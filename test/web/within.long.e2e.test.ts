import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('what leads out of a card', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'hansard-within-'));
  let win: TerminalWindow;

  beforeAll(async () => {
    const editor = join(folder, 'edit');
    writeFileSync(editor, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/got'\n`, { mode: 0o700 });
    const settings = { version: 1, 'editor.command': `${editor} {line} {file}` };
    writeFileSync(join(app.home, 'settings.json'), JSON.stringify(settings));
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a shell within the shell is said on the card, and gets cards of its own when asked', async () => {
    const outer = await win.start('bash --norc');
    const offer = outer.getByRole('button', { name: 'nested bash' });
    await soon(() => offer.count()).toBe(1);
    await offer.click();
    await win.ready();
    const inner = await win.run('echo from within');
    await soon(() => win.lines(inner)).toEqual(['from within']);
    await win.run('exit');
    const after = await win.run('echo outside again');
    await soon(() => win.lines(after)).toEqual(['outside again']);
    await soon(async () => (await outer.innerText()).includes('nested bash')).toBe(true);
    expect(await offer.count()).toBe(0);
  });

  test('a place in the output opens in the editor at its line; one that is not there says so', async () => {
    writeFileSync(join(folder, 'berths.ts'), 'one\ntwo\n');
    const card = await win.run(`cd ${folder}; echo 'berths.ts:2:1 error'; echo 'gone.ts:7 error'`);
    await soon(() => win.lines(card)).toHaveLength(2);
    await card
      .locator('[data-link]')
      .first()
      .click({ modifiers: ['Control'] });
    const got = join(folder, 'got');
    await soon(async () => (existsSync(got) ? readFileSync(got, 'utf8') : '')).toBe(
      `2\n${join(folder, 'berths.ts')}\n`,
    );
    await card
      .locator('[data-link]')
      .nth(1)
      .click({ modifiers: ['Control'] });
    await soon(async () => (await win.page.locator('body').innerText()).includes('there is no file gone.ts')).toBe(
      true,
    );
  });
});
