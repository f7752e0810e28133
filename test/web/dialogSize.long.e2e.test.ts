import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

const { machines, saved, search, settings } = strings;

/** Matches in no dialog. */
const NOTHING = 'nothing like that';
/** Each dialog in which one types: how it opens, texts with many, few and no results, and what it says of the last one. */
const DIALOGS = [
  { name: 'the palette', keys: 'Control+Shift+P', texts: ['s', 'split right', NOTHING], last: search.palette.noMatch },
  { name: 'the search', keys: 'Control+Shift+F', texts: ['e', 'echo two', NOTHING], last: search.noMatch(NOTHING) },
  { name: 'the history', keys: 'Control+r', texts: ['e', 'echo two', NOTHING], last: search.history.noMatch(NOTHING) },
  { name: 'the settings', keys: 'Control+,', texts: ['font', 'ligatures', NOTHING], last: settings.noSetting },
  { name: 'the saved commands', keys: 'Control+Shift+;', texts: ['e', NOTHING], last: saved.noMatch(NOTHING) },
  { name: 'the hosts', action: machines.actions.connect, texts: ['a', NOTHING], last: machines.dialog.noMatch },
  { name: 'the form that starts an agent', keys: 'Control+Shift+N', texts: ['/tmp', '/nowhere'], last: '' },
] as const;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER)).each([
  { width: 1440, height: 900 },
  { width: 900, height: 600 },
])('a dialog keeps its size and its place while one types, at $width px', (size) => {
  const served = new ServedWindow();
  let win: TerminalWindow;

  beforeAll(async () => {
    win = await served.start();
    await win.page.setViewportSize(size);
  });

  afterAll(() => served.dispose());

  /** All boxes that the open dialog had since this was called. */
  async function watched(): Promise<() => Promise<string[]>> {
    await win.dialog.evaluate(async (dialog) => {
      await Promise.all(dialog.getAnimations().map(({ finished }) => finished));
      const boxes = new Set<string>();
      Object.assign(window, { boxes });
      new ResizeObserver(() => {
        const { x, y, width, height } = dialog.getBoundingClientRect();
        boxes.add([x, y, width, height].map(Math.round).join(' '));
      }).observe(dialog);
    });
    return () => win.page.evaluate(() => [...(window as unknown as { boxes: Set<string> }).boxes]);
  }

  test.each(DIALOGS)('$name', async ({ texts, last, ...way }) => {
    await win.ready();
    if ((await win.cards.count()) === 0) for (const word of ['one', 'two', 'three']) await win.run(`echo ${word}`);
    if ('keys' in way) await win.page.keyboard.press(way.keys);
    else await win.act(way.action);
    const field = win.dialog.locator('input:not([type=checkbox], [type=radio]), [role=combobox]').first();
    await field.waitFor();
    await soon(() => win.dialog.count()).toBe(1);
    const boxes = await watched();
    await soon(async () => (await boxes()).length).toBe(1);
    for (const text of texts) {
      await field.fill('');
      await field.pressSequentially(text);
      await soon(() => field.inputValue()).toBe(text);
    }
    await soon(() => win.dialog.innerText()).toContain(last);
    expect(await boxes()).toHaveLength(1);
    await win.page.keyboard.press('Escape');
    await win.page.keyboard.press('Escape');
    await soon(() => win.dialog.count()).toBe(0);
  });
});
