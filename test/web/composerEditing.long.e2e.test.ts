import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('editing a line in the composer', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-editing-')));
  const served = new ServedWindow();
  let win: TerminalWindow;
  const press = (keys: string): Promise<void> => win.page.keyboard.press(keys);
  const type = (text: string): Promise<void> => win.page.keyboard.type(text);

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

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

  test('the bracket at the caret and its partner are marked, and one without a partner is', async () => {
    const marks = (kind: string) => win.composer.locator.locator(`.cm-${kind}Bracket`);
    await type('echo $(date; (true))');
    await soon(() => marks('matching').allInnerTexts()).toEqual(['(', ')']);
    const lefts = () =>
      marks('matching').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
    const outer = await lefts();
    await press('ArrowLeft');
    await soon(lefts).not.toEqual(outer);
    const [from = 0, to = 0] = await lefts(); // of the inner pair, within the outer one
    expect(from).toBeGreaterThan(outer[0] ?? 0);
    expect(to).toBeLessThan(outer[1] ?? 0);
    const look = await marks('matching')
      .first()
      .evaluate((one) => getComputedStyle(one).textDecorationLine);
    expect(look).toBe('underline');
    await press('End');
    await type(')');
    await soon(() => marks('nonmatching').allInnerTexts()).toEqual([')']);
    expect(await marks('matching').count()).toBe(0);
  });

  test('an edit after an undo ends what could be redone, as in VS Code', async () => {
    await type('echo low');
    await press('Control+Backspace');
    await soon(() => win.composer.inputValue()).toBe('echo ');
    await press('Control+z');
    await soon(() => win.composer.inputValue()).toBe('echo low');
    await press('Control+Shift+Z');
    await soon(() => win.composer.inputValue()).toBe('echo ');
    await press('Control+z');
    await soon(() => win.composer.inputValue()).toBe('echo low');
    await type(' tide');
    await press('Control+Shift+Z');
    expect(await win.composer.inputValue()).toBe('echo low tide');
    await press('Control+Backspace');
    await soon(() => win.composer.inputValue()).toBe('echo low ');
    await press('Control+z');
    await soon(() => win.composer.inputValue()).toBe('echo low tide');
    await press('Control+c');
    await type('next');
    await press('Control+z');
    await soon(() => win.composer.inputValue()).toBe(''); // not the line before
  });

  test('ghost text is of this folder first, then of the project, then of all history; Return sends none of it', async () => {
    const ghost = (): Promise<string[]> => win.page.locator('.cm-ghost').allTextContents();
    const [repo, lib, elsewhere] = [join(folder, 'quay'), join(folder, 'quay/lib'), join(folder, 'elsewhere')] as const;
    for (const path of [repo, lib, join(repo, 'docs'), elsewhere]) mkdirSync(path);
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: repo });
    for (const [path, word] of [
      [repo, 'here'],
      [lib, 'project'],
      [elsewhere, 'newest'],
    ] as const) {
      await win.run(`cd ${path}`);
      await win.run(`echo tide-${word}`);
    }
    const shownIn = async (path: string): Promise<string[]> => {
      await win.run(`cd ${path}`);
      // A folder outside of a repository has no header while it is alone.
      if (path.startsWith(repo)) await win.page.locator(`[data-project="${repo}"]`).waitFor();
      await type('echo tide-');
      await soon(async () => (await ghost()).length).toBe(1);
      const shown = await ghost();
      await press('Control+c');
      return shown;
    };
    expect(await shownIn(repo)).toEqual(['here']);
    expect(await shownIn(join(repo, 'docs'))).toEqual(['project']);
    expect(await shownIn(folder)).toEqual(['newest']);
    await type('echo tide-');
    await soon(ghost).toEqual(['newest']);
    await press('Enter');
    const card = win.card('echo tide-');
    await soon(() => win.lines(card)).toEqual(['tide-']);
  });
});
