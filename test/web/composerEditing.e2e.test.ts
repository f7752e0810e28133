import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('editing a line in the composer', () => {
  const served = new ServedWindow();
  let win: TerminalWindow;
  const press = (keys: string): Promise<void> => win.page.keyboard.press(keys);
  const type = (text: string): Promise<void> => win.page.keyboard.type(text);

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(() => served.dispose());

  beforeEach(async () => {
    await win.ready();
    await press('Control+c'); // empties the line
    await soon(() => win.composer.inputValue()).toBe('');
  });

  /** Left edge of the first character of the first text in the field, in px. */
  const left = (): Promise<number> =>
    win.composer.locator.evaluate((field) => {
      const text = document.createTreeWalker(field, NodeFilter.SHOW_TEXT).nextNode();
      if (!text) throw new Error('the field shows no text');
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, 1);
      return range.getBoundingClientRect().left;
    });

  test('text begins exactly where the placeholder began', async () => {
    const placeholder = win.composer.locator.getByText(strings.composer.placeholder);
    await soon(() => placeholder.count()).toBe(1);
    const before = await left();
    await type('M');
    await soon(() => placeholder.count()).toBe(0);
    expect(await left()).toBe(before);
  });
});
