import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

/** Enough runs to notice a loss: `less` 590 lost about every twentieth key after a change of size in its first picture. */
const TIMES = 30;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER)).each(['bash', 'zsh'])('a screen program in %s', (shell) => {
  let app: ServedApp;
  let browser: TestBrowser;
  let win: TerminalWindow;

  /** The terminal's changes of size, from its record. */
  function changes(): string[] {
    const [id = ''] = readdirSync(join(app.home, 'terminals'));
    return readFileSync(join(app.home, 'terminals', id, 'events.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"resize"'));
  }

  const keysLine = () => win.page.getByRole('group', { name: 'Command', exact: true });
  const rows = async () => (await win.liveRows()).join('\n');

  async function open(cmd: string, shown: string): Promise<void> {
    await win.submit(cmd);
    await soon(() => win.focused()).toBe('program');
    await soon(rows).toContain(shown);
  }

  async function end(keys: string): Promise<void> {
    await win.page.keyboard.type(keys);
    await win.ready();
  }

  beforeEach(async () => {
    app = new ServedApp({ env: { SHELL: `/usr/bin/${shell}` } });
    browser = new TestBrowser();
    await app.start();
    writeFileSync(join(app.home, 'log.txt'), Array.from({ length: 400 }, (_, n) => `line ${n}\n`).join(''));
    win = new TerminalWindow((await browser.open(app.url, { viewport: { width: 1440, height: 900 } })).page);
    await win.ready();
    await win.run(`cd ${app.home}`);
  });

  afterEach(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test('keeps the size of its terminal, and all of it is above the line that says who has the keys', async () => {
    await open('vim -u NONE -n a', '~');
    await soon(async () => (await keysLine().boundingBox())?.height ?? 0).toBeLessThan(40);
    const [screen, line] = await Promise.all([win.page.locator('.live-host').boundingBox(), keysLine().boundingBox()]);
    expect((screen?.y ?? 0) + (screen?.height ?? 0)).toBeLessThanOrEqual(line?.y ?? 0);
    if (process.env.LOOK_AT) await win.page.screenshot({ path: `${process.env.LOOK_AT}/vim-${shell}.png` });
    await end(':q!\r');
    await open('python3 -q', '>>>');
    if (process.env.LOOK_AT) await win.page.screenshot({ path: `${process.env.LOOK_AT}/python-${shell}.png` });
    await end('exit()\r');
    expect(changes()).toEqual([]);
  });

  test('shows its last row above a draft of many lines, and above what else takes room', async () => {
    await open('vim -u NONE -n a', '~');
    const [screen, view] = [win.page.locator('.live-host'), win.page.locator('.tab-pane')];
    const overlap = async () => {
      const [rows, room] = await Promise.all([screen.boundingBox(), view.boundingBox()]);
      return (rows?.y ?? 0) + (rows?.height ?? 0) - (room?.y ?? 0) - (room?.height ?? 0);
    };
    await soon(async () => (await keysLine().boundingBox())?.height ?? 0).toBeLessThan(40);
    const [before, line] = [changes().length, await keysLine().boundingBox()];
    await win.page.keyboard.press('Control+.');
    await soon(() => win.focused()).toBe('line');
    await win.page.keyboard.type('one');
    for (let n = 0; n < 6; n += 1) await win.page.keyboard.press('Shift+Enter');
    await soon(async () => (await view.boundingBox())?.height ?? 0).toBeLessThan((line?.y ?? 0) - 100);
    await soon(overlap).toBeLessThanOrEqual(0);
    expect(changes()).toHaveLength(before);
    await win.composer.fill('');
    await win.page.keyboard.press('Control+.');
    await soon(() => win.focused()).toBe('program');
    await end(':q!\r');
  });

  test('does not get the keys that the person took back as soon as it was seen', async () => {
    await open('vim -u NONE -n a', '~');
    await win.page.keyboard.press('Control+.');
    await soon(() => win.focused()).toBe('line');
    await win.page.waitForTimeout(500); // by now the window knows that the program has started and settled
    await win.page.keyboard.type('one');
    expect(await win.composer.inputValue()).toBe('one');
    await win.composer.fill('');
    await win.page.keyboard.press('Control+.');
    await soon(() => win.focused()).toBe('program');
    await end(':q!\r');
  });

  test('gets each key that is pressed once its first picture is drawn', { timeout: 120_000 }, async () => {
    for (let n = 0; n < TIMES; n += 1) {
      await open('less log.txt', 'line 3');
      await win.page.keyboard.press('Space');
      await soon(rows).toContain('line 60');
      await end('q');
    }
  });
});
