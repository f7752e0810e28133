import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the rows of the sidebar', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-rows-')));
  const served = new ServedWindow();
  let win: TerminalWindow;

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a program’s path is shortened to its name, and the tip has it in full', async () => {
    const deep = join(folder, 'home/me/a/very/long/path/to');
    mkdirSync(deep, { recursive: true });
    const program = join(deep, 'tide-viewer');
    writeFileSync(program, '#!/bin/sh\nprintf "\\033]0;%s\\007" "$0"\nread line\n', { mode: 0o755 });
    await win.ready();
    await win.start(`${program} notes.txt`);
    const label = win.tabs.first().locator('.label');
    await soon(() => label.innerText()).toBe('tide-viewer notes.txt');
    expect(await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    expect(await win.page.title()).toMatch(/^tide-viewer notes\.txt — /);
    await win.tabs.first().hover();
    const tip = win.page.locator('.tip');
    await soon(async () => (await tip.innerText()).split('\n').slice(0, 2)).toEqual([`${program} notes.txt`, program]);
    await win.page.mouse.move(700, 300);
    await soon(() => tip.count()).toBe(0);
    await win.page.keyboard.press('Control+d');
    await win.ready();
    expect(await label.innerText()).toBe('tide-viewer notes.txt');
  });
});
