import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CutLine, type Way } from '../support/CutLine.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

/** Numbers of sent bytes after which the connection breaks: within a frame's head, its JSON, its end, and between frames. */
const CUTS = [1, 2, 5, 17, 60, 61, 62, 63, 99, 150, 301, 444, 777, 1200];

/** Time, not keys: on a slow line many keys share one message, and so one reply. */
const MAX_TYPING_MS = 20_000;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a line that breaks off in the middle of a message', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const line = new CutLine();
  const folder = mkdtempSync(join(tmpdir(), 'hansard-typed-'));
  const typed = join(folder, 'typed');
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    await line.to(app.url);
    win = new TerminalWindow((await browser.open(line.url(app.url))).page);
  });
  afterAll(async () => {
    await browser.dispose();
    await line.dispose();
    await app.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const received = (): string => (existsSync(typed) ? readFileSync(typed, 'utf8') : '');

  beforeEach(() => win?.interruptLeftovers());

  test.each(['up', 'down'] as const)('loses no key, and types none twice: %s', async (way: Way) => {
    const card = await win.start(`stty -icanon -echo; echo ${way}; cat > ${typed}`);
    await soon(() => win.liveRows()).toEqual([way]);
    let expected = '';
    const tookMs: number[] = [];
    for (const [at, bytes] of CUTS.entries()) {
      line.cutAfter(way, bytes);
      // Types until the connection breaks, and a few more keys while it is down.
      const untilMs = Date.now() + MAX_TYPING_MS;
      for (let key = 0; Date.now() < untilMs && (line.isArmed || key % 8 !== 0); key += 1) {
        const keys = `${at}:${key} `;
        expected += keys;
        await win.page.keyboard.type(keys);
      }
      expect(line.isArmed).toBe(false);
      const sinceMs = Date.now();
      await soon(received).toBe(expected);
      tookMs.push(Date.now() - sinceMs);
    }
    process.stdout.write(
      `${way}: all typed ${Math.max(...tookMs)} ms after the cut at the latest (${tookMs.join(', ')})\n`,
    );
    await win.page.keyboard.press('Control+c');
    await win.ready();
    expect(await win.name(card)).toContain('interrupted');
    expect(received()).toBe(expected);
    await win.run('stty sane');
  });

  test('shows every line once, in order, wherever a flood breaks off', async () => {
    const [enough, count] = [join(folder, 'enough'), join(folder, 'count')];
    rmSync(enough, { force: true });
    // Runs until the file exists, because five cuts take an unknown time, and prints more lines than a card shows without their number.
    const flood = `n=0; until [ -e ${enough} ] && [ $n -ge 200 ]; do echo "line $((n += 1))"; sleep 0.01; done; echo $n >${count}`;
    const card = await win.start(flood);
    for (const bytes of [3, 70, 500, 1500, 4000]) {
      line.cutAfter('down', bytes);
      await soon(() => line.isArmed).toBe(false);
    }
    writeFileSync(enough, '');
    await soon(() => win.name(card)).toContain(', exit 0');
    await win.page.keyboard.press('Home');
    const lines = Number(readFileSync(count, 'utf8')).toLocaleString('en-US');
    await soon(() => card.innerText()).toContain(`${lines} lines`);
    await win.ready();
    const other = await win.beside(browser, app.url);
    await soon(() => other.lines(other.card('n=0'))).toEqual(await win.lines(win.card('n=0')));
    await other.page.context().close();
  });
});
