import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { coreRows } from '../support/coreScreen.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, TestBrowser } from '../support/WebApp.ts';

/** How long a page is stopped; HANSARD_TEST_STOP_MS=60000 makes it a minute. */
const STOP_MS = Number(process.env.HANSARD_TEST_STOP_MS ?? 4_000);
const FLOOD_BYTES = 20 * 1024 * 1024;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a core in the background', () => {
  const core = new BackgroundCore();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  let url: string;

  beforeAll(async () => {
    url = await core.start();
    win = await show(url);
  });
  afterAll(async () => {
    await browser.dispose();
    await core.dispose();
  });

  async function show(at: string): Promise<TerminalWindow> {
    return new TerminalWindow((await browser.open(at)).page);
  }

  /** Opens the window again with the address that `hansard open` prints. */
  async function reopen(): Promise<TerminalWindow> {
    const { stdout } = await core.run('open', '--no-open');
    return show(stdout.match(/http:\S+/)?.[0] ?? '');
  }

  const titles = (window: TerminalWindow): Promise<string[]> => window.cards.getByRole('heading').allTextContents();

  /** Waits until the window shows the core's screen; resolves with the milliseconds since `sinceMs`. */
  async function showsTheSame(window: TerminalWindow, sinceMs: number): Promise<number> {
    await soon(async () => (await window.live.count()) > 0).toBe(true);
    await soon(async () => (await window.liveRows()).join('\n')).toBe((await coreRows(core.home)).join('\n'));
    return Date.now() - sinceMs;
  }

  /** Expects the last block's bytes to be `line` repeated. */
  function expectRecorded(line: string): void {
    const folder = join(core.home, 'terminals', readdirSync(join(core.home, 'terminals'))[0] ?? '');
    const last = readFileSync(join(folder, 'blocks.jsonl'), 'utf8').trim().split('\n').at(-1) ?? '{}';
    const { rawStart, rawEnd } = JSON.parse(last) as { rawStart: number; rawEnd: number };
    const raw = readFileSync(join(folder, 'output.raw')).subarray(rawStart, rawEnd);
    const whole = `${line}\n`.repeat(Math.ceil(FLOOD_BYTES / (line.length + 1))).slice(0, FLOOD_BYTES);
    const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(raw)).toBe(hash(whole.replaceAll('\n', '\r\n')));
  }

  const flood = (line: string): string => `yes ${line} | head -c ${FLOOD_BYTES}`;

  async function crash(page: Page): Promise<void> {
    const crashed = page.waitForEvent('crash');
    const devtools = await page.context().newCDPSession(page);
    devtools.send('Page.crash').catch(() => undefined); // the crashed page does not answer
    await crashed;
  }

  test.each([
    ['reloaded', () => win.page.reload()],
    ['closed and opened again', () => win.page.context().close()],
    ['killed with its process', () => crash(win.page)],
  ])('a page that is %s while vim is open shows the same screen and the same cards again', async (how, leave) => {
    await win.start('vim -u NONE -i NONE +"set nonumber"');
    await win.page.keyboard.type('iThe core outlives its window.\nSecond line.');
    await soon(async () => (await win.liveRows())[1]).toBe('Second line.');
    const before = [await win.liveRows(), await titles(win)];
    const sinceMs = Date.now();
    await leave();
    if (how !== 'reloaded') win = await reopen();
    const tookMs = await showsTheSame(win, sinceMs);
    process.stdout.write(`vim, ${how}: the same again after ${tookMs} ms\n`);
    expect([await win.liveRows(), await titles(win)]).toEqual(before);
    await soon(() => win.focused()).toBe('program');
    await win.page.keyboard.type(' And on.');
    await soon(async () => (await win.liveRows())[1]).toBe('Second line. And on.');
    await win.page.keyboard.press('Escape');
    await win.page.keyboard.type(':q!\n');
    await win.ready();
  });

  test.each([
    ['closed', () => win.page.context().close()],
    ['killed', () => crash(win.page)],
  ])(
    'a page that is %s in the middle of a flood loses nothing of it, and the next one shows its end',
    async (how, leave) => {
      await win.start(flood(`flood-${how}`));
      await soon(async () => (await win.liveRows()).length).toBeGreaterThan(5);
      await leave();
      win = await reopen();
      await expect.poll(() => win.name(win.card('yes flood')), { timeout: 60_000 }).toContain(', exit 0');
      await win.ready();
      expectRecorded(`flood-${how}`);
      expect((await core.status()).terminals[0]).toMatchObject({ running: [], viewers: 1 });
    },
  );

  test(
    'a page that is stopped in the middle of a flood slows nobody, and catches up when it goes on',
    async () => {
      await win.start(`${flood('stopped')}; echo the end; cat`);
      await soon(async () => (await win.liveRows()).length).toBeGreaterThan(5);
      const pages = renderers(process.pid);
      expect(pages.length).toBeGreaterThan(0);
      for (const pid of pages) process.kill(pid, 'SIGSTOP');
      const sinceMs = Date.now();
      await soon(async () => (await coreRows(core.home)).at(-1)).toBe('the end');
      process.stdout.write(`the flood ended ${Date.now() - sinceMs} ms after the page had stopped\n`);
      await sleep(Math.max(0, STOP_MS - (Date.now() - sinceMs)));
      for (const pid of pages) process.kill(pid, 'SIGCONT');
      const atMs = Date.now();
      await soon(async () => (await win.liveRows()).at(-1)).toBe('the end');
      process.stdout.write(`a page that was stopped for ${STOP_MS} ms was back after ${Date.now() - atMs} ms\n`);
      await win.page.keyboard.type('still here\n');
      await soon(async () => (await win.liveRows()).slice(-2)).toEqual(['still here', 'still here']);
      await win.page.keyboard.press('Control+d');
      await win.ready();
    },
    120_000 + STOP_MS,
  );

  test(
    'a core that is stopped for a while has everything that was typed meanwhile, once',
    async () => {
      await win.start('stty -echo; echo ready; cat');
      await soon(() => win.liveRows()).toEqual(['ready']);
      process.kill(core.pid, 'SIGSTOP');
      await win.page.keyboard.type('typed while it stood still\n');
      await sleep(STOP_MS);
      await win.page.keyboard.type('and once more\n');
      process.kill(core.pid, 'SIGCONT');
      const sinceMs = Date.now();
      await soon(() => win.liveRows()).toEqual(['ready', 'typed while it stood still', 'and once more']);
      process.stdout.write(`a core that was stopped for ${STOP_MS} ms was back after ${Date.now() - sinceMs} ms\n`);
      await win.page.keyboard.press('Control+d');
      await win.ready();
    },
    120_000 + STOP_MS,
  );

  test('when it was killed and started again, an open page says what to do', async () => {
    const { port } = new URL(url);
    win = await reopen();
    await win.ready();
    await core.kill();
    await soon(() => win.page.getByText('Connection to Hansard lost.').count()).toBe(1);
    const again = await core.start();
    expect(new URL(again).port).toBe(port);
    const sinceMs = Date.now();
    await soon(() => win.page.getByText('Hansard restarted.').count()).toBe(1);
    process.stdout.write(`told after ${Date.now() - sinceMs} ms\n`);
    expect(await win.page.getByText('Open the new link.').count()).toBe(1);
    const fresh = await show(again);
    await fresh.ready();
    await soon(() => fresh.cards.count()).toBeGreaterThan(0); // `run` finds the new card by comparing it with the newest one
    const card = await fresh.run('echo alive');
    await soon(() => fresh.lines(card)).toEqual(['alive']);
  });
});

/** Ids of the renderer processes among the descendants of `ancestor`. */
function renderers(ancestor: number): number[] {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'latin1');
    } catch {
      return ''; // the process has already ended
    }
  };
  const childrenOf = (pid: number): number[] =>
    readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
    );
  const below = (pid: number): number[] => {
    const children = existsSync(`/proc/${pid}/task`) ? childrenOf(pid) : [];
    return [...children, ...children.flatMap(below)];
  };
  return below(ancestor).filter((pid) => read(`/proc/${pid}/cmdline`).includes('--type=renderer'));
}
