import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRecordings, readCast } from '../agents/compare/findRecordings.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, CLI, TestBrowser } from '../support/WebApp.ts';

const PRINTS = `printf 'one</script>\\n\\e[31mtwo\\e[0m\\n'; sleep 0.4; printf 'three\\n'`;
const EXACT = [
  { version: 2, width: 80, height: 24, title: 'exact' },
  [0, 'o', 'one\r\n'],
  [0.8, 'o', 'two\r\n'],
  [1.6, 'o', 'three\r\n'],
];

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a replay', () => {
  const served = new ServedWindow();
  const other = new TestBrowser();
  let win: TerminalWindow;

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(async () => {
    await other.dispose();
    await served.dispose();
  });

  const rows = (page: Page) => page.locator('.replay .xterm-rows').innerText();
  const position = (page: Page) => page.getByRole('slider', { name: 'Position' });

  test('shows what was on the screen at each moment, by mouse and by key', async () => {
    await win.ready(); // with a tab there already, the window opens no first terminal
    const cast = join(served.app.home, 'exact.cast');
    writeFileSync(cast, EXACT.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const env = { ...process.env, HANSARD_HOME: served.app.home };
    execFileSync(process.execPath, [CLI, 'import', cast], { env, stdio: 'ignore' });
    const tab = win.tabs.filter({ hasText: 'exact' });
    await tab.click();
    await win.act('Replay terminal');
    const { page } = win;
    await page.locator('.replay:focus').waitFor(); // it takes keys when it is loaded
    await page.keyboard.press('End');
    await soon(() => rows(page)).toContain('three');
    await soon(() => page.getByRole('button', { name: 'Play again' }).count()).toBe(1);
    await page.keyboard.press('Home');
    await soon(() => rows(page)).toContain('one'); // drawn a moment after the screen was cleared
    expect(await rows(page)).not.toContain('two');
    await position(page).fill('900');
    await soon(() => rows(page)).toContain('two');
    expect(await rows(page)).not.toContain('three');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await soon(() => rows(page)).toContain('three');
    await page.keyboard.press('Escape');
    await soon(() => page.locator('.replay').count()).toBe(0);
    await win.tabs.first().click();
    await win.ready();
  });

  test('skips a wait unless told otherwise, and plays up to sixteen times as fast', async () => {
    const cast = join(served.app.home, 'idle.cast');
    const header = { version: 2, width: 80, height: 24, title: 'idle' };
    const lines = [header, [0, 'o', 'first\r\n'], [40, 'o', 'second\r\n'], [80, 'o', 'third\r\n']];
    writeFileSync(cast, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const env = { ...process.env, HANSARD_HOME: served.app.home };
    execFileSync(process.execPath, [CLI, 'import', cast], { env, stdio: 'ignore' });
    const { page } = win;
    await win.tabs.filter({ hasText: 'idle' }).click();
    await win.act('Replay terminal');
    const time = () => page.locator('.replay .time').innerText();
    await page.locator('.replay:focus').waitFor(); // it takes keys when it is loaded
    await page.keyboard.press('End');
    await soon(time).toBe('0:02 / 0:02');
    await page.getByRole('checkbox', { name: 'Skip waits' }).uncheck();
    await soon(time).toMatch(/ \/ 1:20$/);
    await page.getByRole('combobox', { name: 'Speed' }).selectOption({ label: '16×' });
    await page.keyboard.press('Home');
    await soon(() => rows(page)).toContain('first');
    const startMs = Date.now();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await soon(() => rows(page)).toContain('second');
    expect(Date.now() - startMs).toBeGreaterThan(1500);
    await page.getByRole('button', { name: 'Pause' }).click();
    const paused = await time();
    await page.waitForTimeout(400);
    expect(await time()).toBe(paused);
    await page.keyboard.press('Escape');
    await soon(() => page.locator('.replay').count()).toBe(0);
    await win.tabs.first().click();
    await win.ready();
  });

  test('of a card plays what the card printed', async () => {
    const card = await win.run(PRINTS);
    await win.choose(card, 'Replay');
    await soon(() => rows(win.page)).toContain('three');
    await soon(() => rows(win.page)).toContain('one</script>');
  });

  test('is exported as a page that plays by itself and loads nothing', async () => {
    const { page } = win;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as web page' }).click(),
    ]);
    const file = join(served.app.home, 'replay.html');
    await download.saveAs(file);
    await plays(file);
    await page.keyboard.press('Escape');
    await soon(() => page.locator('.replay').count()).toBe(0);
    await soon(() => page.locator('li.card:focus').count()).toBe(1);
  });

  test('of a terminal has a mark for each command', async () => {
    await win.run('sleep 0.3; echo another');
    await win.act('Replay terminal');
    const { page } = win;
    await soon(() => page.locator('.replay .mark').count()).toBe(2);
    await soon(() => page.getByRole('button', { name: 'Play again' }).count()).toBe(1);
    expect(await rows(page)).toContain('another');
    expect(await page.locator('.replay .mark-name').innerText()).toBe('sleep 0.3; echo another');
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    await soon(() => page.locator('.replay .mark-name').innerText()).toContain('printf');
    await page.keyboard.press('Escape');
  });

  test('is written by the command line, too', async () => {
    const env = { ...process.env, HANSARD_HOME: served.app.home };
    const html = execFileSync(process.execPath, [CLI, 'export', 'last', '-f', 'html'], { env, encoding: 'utf8' });
    const file = join(served.app.home, 'cli.html');
    writeFileSync(file, html);
    await plays(file);
  });

  test('of a conversation has a mark for each prompt, to which a click and a key go', async () => {
    const all = findRecordings(join(import.meta.dirname, '../fixtures/agents/random'));
    const recorded = all.find(({ name }) => name === 'claude/2.1.329-random-400-w81');
    const said = recorded?.expected.conversations[0]?.messages ?? [];
    const prompts = said.flatMap(({ kind, text }) =>
      kind === 'user' ? [text.length > 80 ? `${text.slice(0, 79)}…` : text] : [],
    );
    expect(prompts).toHaveLength(3);
    const [head = '', ...rest] = readCast(recorded?.cast ?? '').split('\n');
    const cast = join(served.app.home, 'agent.cast');
    writeFileSync(cast, [JSON.stringify({ ...JSON.parse(head), title: 'an agent' }), ...rest].join('\n'));
    const env = { ...process.env, HANSARD_HOME: served.app.home };
    execFileSync(process.execPath, [CLI, 'import', cast], { env, stdio: 'ignore' });
    const { page } = win;
    await win.tabs.filter({ hasText: 'an agent' }).click();
    await page
      .locator('[data-chat]')
      .getByText(prompts[0] ?? '')
      .first()
      .waitFor();
    await win.act('Replay conversation');
    const marks = page.locator('.replay .mark');
    await soon(() => marks.count()).toBe(4);
    const titles = await marks.evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    expect(titles).toEqual(['claude', ...prompts]); // the command, and each prompt
    const name = () => page.locator('.replay .mark-name').innerText();
    const box = await marks.nth(2).boundingBox();
    await page.mouse.click((box?.x ?? 0) + 2, (box?.y ?? 0) + 5);
    await soon(name).toBe(prompts[1]);
    await soon(() => rows(page)).toContain(prompts[1]?.slice(0, 40));
    expect(await rows(page)).not.toContain(prompts[2]?.slice(0, 40));
    await page.keyboard.press(']');
    await soon(name).toBe(prompts[2]);
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    await soon(name).toBe(prompts[0]);
    await page.keyboard.press('Escape');
    await soon(() => page.locator('.replay').count()).toBe(0);
    await win.tabs.first().click();
    await win.ready();
  });

  /** Opens the file in a browser, and collects all errors and requests. */
  async function plays(file: string): Promise<void> {
    expect(readFileSync(file, 'utf8').includes('one\\u003c/script>')).toBe(true);
    const { page, context } = await other.open('about:blank');
    const faults: string[] = [];
    const loaded: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => !request.url().startsWith('data:') && loaded.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await soon(() => rows(page)).toContain('three');
    expect(faults).toEqual([]);
    expect(loaded).toEqual([pathToFileURL(file).href]);
    await context.close();
  }
});
