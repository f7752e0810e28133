import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { CLI, FIREFOX, ServedApp, TestBrowser } from '../support/WebApp.ts';

const SIXEL = join(ROOT, 'test/fixtures/images/img2sixel.out');
/** Longer than Firefox lets a page write to the clipboard after a click (5 s). */
const SLOW_MS = 6_000;

if (!existsSync(FIREFOX)) console.warn(`${FIREFOX} is not installed, so its suite is skipped`);

describe.skipIf(!existsSync(FIREFOX))('a day in Firefox', () => {
  const app = new ServedApp();
  const browser = new TestBrowser([], FIREFOX);
  /** Errors of every page: thrown, logged, or refused by the content security policy, which Firefox logs. */
  const faults: string[] = [];
  let win: TerminalWindow;

  function collectFaults(page: Page): void {
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(String(error)));
  }

  beforeAll(async () => {
    await app.start();
    const { page } = await browser.open('about:blank');
    collectFaults(page);
    await page.goto(app.url);
    win = new TerminalWindow(page);
  });

  beforeEach(async () => {
    await win.interruptLeftovers();
    await win.ready();
    await win.composer.fill('');
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  /** What Ctrl+V puts into the composer. */
  async function pasted(): Promise<string> {
    await win.composer.fill('');
    await win.composer.click();
    await win.page.keyboard.press('Control+v');
    await soon(() => win.composer.inputValue()).not.toBe('');
    const text = await win.composer.inputValue();
    await win.composer.fill('');
    return text;
  }

  test('the composer completes, shows the rest of an earlier line, takes several lines and brings them back', async () => {
    const { keyboard } = win.page;
    await win.page.getByRole('button', { name: strings.welcome.skip }).click();
    const card = await win.run("printf '\\e[31mlow\\e[0m tide\\n'");
    await soon(() => win.lines(card)).toEqual(['low tide']);
    const color = (span: Element) => getComputedStyle(span).color;
    const [red, plain] = [card.locator('.line span').first(), card.locator('.line')];
    expect(await red.evaluate(color)).not.toBe(await plain.evaluate(color));
    await keyboard.type('git checko');
    await soon(() => win.page.getByRole('option').first().innerText()).toContain('checkout');
    await keyboard.press('Escape');
    await win.composer.fill('');
    await keyboard.type('printf');
    await soon(() => win.page.locator('.cm-content').innerText()).toContain('tide'); // the ghost text
    await keyboard.press('ArrowRight');
    await soon(() => win.composer.inputValue()).toContain('tide');
    await win.composer.fill('');
    await keyboard.type('echo one');
    await keyboard.press('Shift+Enter');
    await keyboard.type('echo two');
    await keyboard.press('Enter');
    await win.card('echo two').waitFor();
    await win.ready();
    await keyboard.press('ArrowUp');
    await soon(() => win.composer.inputValue()).toBe('echo two');
  });

  test('a program gets every key: function keys, Alt, Ctrl and those by which Firefox searches', async () => {
    const { keyboard } = win.page;
    const card = await win.start('cat -v');
    for (const key of ['F1', 'F5', 'F12', 'Alt+b', 'Alt+f', 'Control+k', "'", '/', 'Enter']) await keyboard.press(key);
    await soon(async () => (await win.liveRows()).at(-1)).toBe("^[OP^[[15~^[[24~^[b^[f^K'/");
    await keyboard.press('Control+d');
    await soon(() => win.name(card)).toContain('exit 0');
    const stopped = await win.start('sleep 60');
    await keyboard.press('Control+c');
    await soon(() => win.name(stopped)).toContain('interrupted');
  });

  test('vim takes the mouse and the wheel', async () => {
    const { keyboard, mouse } = win.page;
    await win.start('seq 200 | vim -u NONE -c "set mouse=a ttymouse=sgr nomodified" -');
    await soon(async () => (await win.liveRows())[3]).toBe('4');
    const box = await win.live.boundingBox();
    if (!box) throw new Error('the terminal is not drawn');
    const rowPx = await win.live
      .locator('.xterm-rows > div')
      .first()
      .evaluate((row) => row.getBoundingClientRect().height);
    await mouse.click(box.x + 2, box.y + 3.5 * rowPx);
    await keyboard.type('ihere ');
    await soon(async () => (await win.liveRows())[3]).toBe('here 4');
    await keyboard.press('Escape');
    await soon(async () => (await win.liveRows()).at(-1)).not.toContain('INSERT');
    await mouse.wheel(0, 300);
    await soon(async () => (await win.liveRows())[0]).not.toBe('1');
    await keyboard.type(':q!\n');
    await win.ready();
  });

  test('a selection and a whole output reach the clipboard, however long the core takes', async () => {
    const { mouse, keyboard } = win.page;
    const card = await win.run('seq 100 102');
    const line = await card.locator('.line').first().boundingBox();
    if (!line) throw new Error('the line is not drawn');
    await mouse.move(line.x + 1, line.y + line.height / 2);
    await mouse.down();
    await mouse.move(line.x + 60, line.y + line.height / 2, { steps: 5 });
    await mouse.up();
    await keyboard.press('Control+c');
    expect(await pasted()).toBe('100');
    await card.hover();
    process.kill(app.pid, 'SIGSTOP');
    try {
      await card.getByRole('button', { name: 'Copy', exact: true }).click();
      await win.page.waitForTimeout(SLOW_MS);
    } finally {
      process.kill(app.pid, 'SIGCONT');
    }
    await win.page.getByText('Copied 3 lines').first().waitFor();
    expect(await pasted()).toBe('100\n101\n102\n');
  });

  test('an image is drawn in its card', async () => {
    const card = await win.run(`cat ${SIXEL}`);
    const canvas = card.locator('.line-image canvas').first();
    await soon(() =>
      canvas.evaluate((drawn: HTMLCanvasElement) =>
        Boolean(
          drawn
            .getContext('2d')
            ?.getImageData(0, 0, drawn.width, drawn.height)
            .data.some((value) => value > 0),
        ),
      ),
    ).toBe(true);
  });

  test('each screen opens by a key that Firefox leaves to the page', async () => {
    const { keyboard } = win.page;
    await keyboard.press('Alt+Shift+P');
    await soon(() => win.page.getByPlaceholder(strings.search.palette.placeholder).count()).toBe(1);
    await keyboard.press('Escape');
    for (const key of ['Control+,', 'Control+Shift+F', 'Alt+Shift+A']) {
      await win.ready();
      await keyboard.press(key);
      await soon(() => win.dialog.count()).toBe(1);
      await keyboard.press('Escape');
      await soon(() => win.dialog.count()).toBe(0);
    }
    for (const [key, name] of [
      ['Control+Shift+A', strings.agents.title],
      ['Control+Shift+Y', strings.history.title],
    ] as const) {
      await keyboard.press(key);
      await win.page.getByRole('heading', { name, exact: true }).first().waitFor();
      await keyboard.press(key);
      await win.ready();
    }
    await keyboard.press('Control+Shift+D');
    await soon(() => win.page.locator('[data-pane-of]').count()).toBe(2);
    await soon(() => win.focused()).toBe('line');
    await win.act(strings.panes.actions.close);
    await soon(() => win.page.locator('[data-pane-of]').count()).toBe(1);
  });

  test('a tab keeps its field open while a word is composed into its name', async () => {
    await win.page.keyboard.press('F2');
    const field = win.page.getByRole('textbox', { name: /Tab name/ });
    await field.fill('港');
    // Safari: the composition has ended, and the key that ended it has the code of a composed key.
    await field.evaluate((input) =>
      input.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }),
      ),
    );
    expect(await field.count()).toBe(1);
    await win.page.keyboard.press('Enter');
    await soon(() => win.page.title()).toContain('港');
  });

  test('an exported replay plays from its file', async () => {
    await win.run("printf 'one\\n'; sleep 0.3; printf 'three\\n'");
    const file = join(app.home, 'replay.html');
    const env = { ...process.env, HANSARD_HOME: app.home };
    execFileSync(process.execPath, [CLI, 'export', 'last', '-f', 'html', '-o', file], { env });
    const { page, context } = await browser.open('about:blank');
    collectFaults(page);
    await page.goto(pathToFileURL(file).href);
    await soon(() => page.locator('.replay .xterm-rows').innerText()).toContain('three');
    await context.close();
  });

  test('a new core is found by a new link, with the cards, and no page reported an error', async () => {
    await win.run('echo kept');
    expect(faults).toEqual([]);
    await app.stop();
    await win.page.getByText('Connection to Hansard lost.').waitFor();
    await app.start();
    await win.page.goto(app.url);
    await win.ready();
    await win.card('echo kept').waitFor();
  });
});
