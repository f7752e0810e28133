import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const isInstalled = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false; // command -v says so by its exit code
  }
};

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('programs that take the screen', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'hansard-edit-'));
  let win: TerminalWindow;
  const pane = () => win.page.getByRole('region', { name: 'Terminal', exact: true });
  const rows = async () => (await win.liveRows()).join('\n');
  /** Height of the pane's head and margins, and of a text row, in px. */
  const [aroundPx, rowPx] = [62, 19];

  /** Resolves when the program fills the pane, except the line that says which program has the keys, and has drawn everything. */
  async function hasWholePane(): Promise<void> {
    const keysLine = win.page.getByRole('group', { name: 'Command' });
    await soon(async () => (await keysLine.boundingBox())?.height ?? 0).toBeLessThan(40);
    const height = await win.page.evaluate(() => document.querySelector('.tab-pane')?.clientHeight ?? 0);
    await soon(async () => (await win.liveRows()).length).toBeGreaterThanOrEqual(
      Math.floor((height - aroundPx) / rowPx) - 1,
    );
  }

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test.skipIf(!isInstalled('vim'))(
    'vim has the whole pane and the keys, survives a reload, and leaves a card',
    async () => {
      await win.run(`cd ${folder}`);
      await win.start('vim -u NONE -N note.txt');
      await soon(() => pane().count()).toBe(1);
      await hasWholePane();
      await win.page.keyboard.type('ifirst\nwritten in vim');
      await win.page.keyboard.press('Escape');
      await soon(rows).toMatch(/^first\nwritten in vim/);
      await soon(rows).not.toContain('-- INSERT --'); // Escape may be the start of a key: vim waits a moment
      const before = await win.liveRows();
      await win.page.reload();
      await soon(() => win.liveRows()).toEqual(before);
      await soon(() => win.focused()).toBe('program');
      await win.page.keyboard.type(' and again');
      await win.page.keyboard.press('Escape');
      await win.page.keyboard.type(':wq\n');
      await soon(() => pane().count()).toBe(0);
      await win.ready();
      const card = win.card('vim -u NONE');
      expect(await win.name(card)).toContain(', exit 0');
      expect(readFileSync(join(folder, 'note.txt'), 'utf8')).toMatch(/^first\nwritten in vi/);
      await soon(() => card.locator('.body').count()).toBe(0);
      expect((await card.boundingBox())?.height).toBeLessThan(50);
      await card.locator('header').click({ position: { x: 400, y: 20 } });
      await soon(() => card.locator('.body').innerText()).toContain('written in vim');
      expect(await card.getByTitle('Duration').innerText()).not.toBe('');
    },
  );

  test.skipIf(!isInstalled('less'))('less scrolls by keys, and the shell goes on after it', async () => {
    writeFileSync(join(folder, 'long.txt'), Array.from({ length: 400 }, (_, n) => `entry ${n + 1}\n`).join(''));
    await win.start('less long.txt');
    await hasWholePane();
    expect(await rows()).toContain('entry 1\n');
    await win.page.keyboard.press('G');
    await soon(rows).toContain('entry 400');
    await win.page.keyboard.press('q');
    await win.ready();
    const card = await win.run('echo after less');
    await soon(() => win.lines(card)).toEqual(['after less']);
  });

  test('one that had the keys before it took the screen is one line once it ends, with its last screen behind a click', async () => {
    const go = join(folder, 'go');
    const screen = `until [ -e ${go} ]; do sleep 0.1; done; tput smcup; echo full tide; read -r end; tput rmcup`;
    const card = await win.start(`sh -c '${screen}'`);
    for (const keys of ['line', 'program']) {
      await win.page.keyboard.press('Control+.');
      await soon(() => win.focused()).toBe(keys);
    }
    writeFileSync(go, '');
    await soon(rows).toContain('full tide');
    await win.page.keyboard.press('Enter');
    await win.ready();
    await soon(() => card.getAttribute('class')).toContain('left');
    expect(await card.locator('.body').count()).toBe(0);
    await soon(() => card.locator('.is-stuck').count()).toBe(0); // a click on a stuck head scrolls
    await card.locator('header').click({ position: { x: 400, y: 20 } });
    await soon(() => card.locator('.body').allInnerTexts()).toEqual([expect.stringContaining('full tide')]);
  });

  test('the plain terminal view shows the same session, and the way back leads to the cards', async () => {
    await win.page.getByTitle('Show a plain terminal').click();
    await soon(rows).toContain('after less');
    await soon(() => win.focused()).toBe('program');
    await win.page.keyboard.type('echo typed at the prompt itself\n');
    await soon(rows).toMatch(/^typed at the prompt itself$/m);
    await win.page.keyboard.press('Control+Shift+L');
    const card = win.card('echo typed at the prompt itself');
    await soon(() => card.count()).toBe(1);
    await soon(() => win.lines(card)).toEqual(['typed at the prompt itself']);
    await win.ready();
  });

  test('a program is told the size that it is shown in, before and after the window changes', async () => {
    const columns = async (): Promise<number> => {
      const card = await win.run('tput cols');
      await soon(() => win.lines(card)).toHaveLength(1);
      return Number((await win.lines(card))[0]);
    };
    const wide = await columns();
    const px = await win.page.evaluate(() => document.querySelector('.tab-pane')?.clientWidth ?? 0);
    expect(wide).toBe(Math.floor((px - 64) / 7.5));
    await win.page.setViewportSize({ width: 900, height: 600 });
    await soon(columns).toBe(Math.floor((900 - 56 - 64) / 7.5));
    await win.page.setViewportSize({ width: 1440, height: 900 });
    await soon(columns).toBe(wide);
  });

  test('a picture drawn with the cursor is kept as it stood', async () => {
    const card = await win.run("printf 'aaaa\\nbbbb\\n\\e[2A\\e[2CXX\\e[2B\\r'");
    await soon(() => win.lines(card)).toEqual(['aaXX', 'bbbb']);
  });
});
