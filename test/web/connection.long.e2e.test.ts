import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CutLine } from '../support/CutLine.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('what comes between the window and the core', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const line = new CutLine();
  let win: TerminalWindow;
  const lost = () => win.page.getByText('Connection to Hansard lost.').count();
  const folder = () => join(app.home, 'terminals', readdirSync(join(app.home, 'terminals'))[0] ?? '');

  beforeAll(async () => {
    await app.start();
    await line.to(app.url);
    win = new TerminalWindow((await browser.open(line.url(app.url))).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await line.dispose();
    await app.dispose();
  });

  test('a cut connection is said, and when it is back the window shows what happened meanwhile', async () => {
    const card = await win.start('echo before; read -r; echo after');
    await soon(() => win.liveRows()).toEqual(['before']);
    line.cut();
    await soon(lost).toBe(1);
    const other = await win.beside(browser, app.url);
    await soon(() => other.focused()).toBe('program');
    await other.page.keyboard.press('Enter');
    await other.ready();
    await other.run('echo meanwhile');
    expect(await win.card('echo meanwhile').count()).toBe(0);
    line.repair(); // by now the page tries again every four seconds
    await soon(lost).toBe(0);
    await soon(() => win.lines(card)).toEqual(['before', '', 'after']);
    await soon(() => win.lines(win.card('echo meanwhile'))).toEqual(['meanwhile']);
    await other.page.context().close();
    await win.run('echo together again');
  });

  test('two windows show the same terminal, whoever types', async () => {
    const other = await win.beside(browser, app.url);
    await soon(() => other.card('echo together again').count()).toBe(1);
    await win.start('cat');
    await win.page.keyboard.type('from the one\n');
    await soon(() => other.liveRows()).toEqual(['from the one', 'from the one']);
    await soon(() => other.focused()).toBe('program'); // Return was pressed in the other window, so the composer has the keys here at first
    await other.page.keyboard.type('from the other\n');
    await soon(() => win.liveRows()).toEqual(['from the one', 'from the one', 'from the other', 'from the other']);
    await other.page.keyboard.press('Control+d');
    for (const window of [win, other]) {
      await window.ready();
      await soon(() => window.lines(window.card('cat'))).toHaveLength(4);
    }
    await other.page.context().close();
  });

  test('a reload in the middle of a flood shows its end, and not a byte is lost or doubled', async () => {
    const count = 50 * 1024 * 1024;
    await win.start(`yes 0123456789abcdef | head -c ${count}`);
    await soon(async () => (await win.liveRows()).length).toBeGreaterThan(5);
    await win.page.reload();
    await expect.poll(() => win.name(win.card('yes 0123456789')), { timeout: 60_000 }).toContain(', exit 0');
    const card = win.card('yes 0123456789');
    await soon(() => win.lines(card)).toHaveLength(18);
    const { rawStart, rawEnd } = JSON.parse(
      readFileSync(join(folder(), 'blocks.jsonl'), 'utf8').trim().split('\n').at(-1) ?? '{}',
    );
    const raw = readFileSync(join(folder(), 'output.raw')).subarray(rawStart, rawEnd);
    const line = '0123456789abcdef\n';
    const sent = line
      .repeat(Math.ceil(count / line.length))
      .slice(0, count)
      .replaceAll('\n', '\r\n');
    expect(raw.length).toBe(sent.length);
    const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(raw)).toBe(hash(sent));
    await win.ready();
  });

  test('a machine that stops while something runs leaves its card cut off, and the window says that it lost it', async () => {
    await win.start('echo working; sleep 1000');
    await soon(() => win.liveRows()).toEqual(['working']);
    await app.crash();
    await soon(lost).toBe(1);
    await app.start();
    const again = new TerminalWindow((await browser.open(app.url)).page);
    const card = again.card('echo working');
    await soon(() => again.name(card)).toBe('echo working; sleep 1000, still running when recording stopped');
    expect(await card.locator('.badge').allInnerTexts()).toEqual(['cut off']);
    await soon(() => again.lines(card)).toEqual(['working']);
    await soon(() => again.lines(again.card('echo meanwhile'))).toEqual(['meanwhile']);
    await soon(() => again.lines(again.card('yes 0123456789'))).toHaveLength(18);
    const fresh = await again.run('echo alive');
    await soon(() => again.lines(fresh)).toEqual(['alive']);
  });
});
