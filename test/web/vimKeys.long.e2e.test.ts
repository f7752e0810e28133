import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { axeFaults } from '../support/axe.ts';
import { CutLine } from '../support/CutLine.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('Vim keys in the composer', () => {
  const served = new ServedWindow();
  const broken: string[] = [];
  let win: TerminalWindow;
  const text = () => win.composer.inputValue();
  const mode = () => win.page.locator('.composer .mode').innerText();
  const press = async (...keys: string[]) => {
    for (const key of keys) await win.page.keyboard.press(key);
  };
  const type = (keys: string) => win.page.keyboard.type(keys);
  const list = () => win.page.getByRole('listbox', { name: 'Completions' });

  beforeAll(async () => {
    writeFileSync(join(served.app.home, 'settings.json'), JSON.stringify({ 'composer.keys': 'vim' }));
    win = await served.start();
    win.page.on('pageerror', (error) => broken.push(String(error)));
    await win.page.locator('.composer .mode').waitFor();
  });

  afterAll(() => served.dispose());

  beforeEach(async () => {
    await win.interruptLeftovers();
    await win.composer.focus();
    await press('Escape', 'Escape', 'g', 'g', 'd', 'G', 'i');
    await soon(async () => [await text(), await mode()]).toEqual(['', 'Insert']);
  });

  test('a new line takes text, Escape leads to normal mode, and operators edit it', async () => {
    await type('echo one two');
    await press('Escape');
    await soon(mode).toBe('Normal');
    await type('bcw');
    await soon(mode).toBe('Insert');
    await type('three');
    await press('Escape');
    await type('0ydwuu');
    await soon(text).toBe('echo one two');
    await press('U', 'U');
    await soon(text).toBe('echo one three');
    await type('v');
    await soon(mode).toBe('Visual');
    await press('Escape');
    await soon(mode).toBe('Normal');
  });

  test('Return runs the line in insert and in normal mode, and the next line takes text', async () => {
    await type('echo insert-mode');
    await press('Enter');
    await soon(async () => win.lines(win.card('echo insert-mode'))).toEqual(['insert-mode']);
    await win.ready();
    await type('echo normal-mode');
    await press('Escape', 'Enter');
    await soon(async () => win.lines(win.card('echo normal-mode'))).toEqual(['normal-mode']);
    await win.ready();
    await soon(mode).toBe('Insert');
    await type('dd');
    await soon(text).toBe('dd');
  });

  test('Escape closes an open list together with insert mode, and completion works in insert mode', async () => {
    await type('git checko');
    await soon(() => list().count()).toBe(1);
    await press('Escape');
    await soon(async () => [await list().count(), await mode(), await text()]).toEqual([0, 'Normal', 'git checko']);
    await press('A');
    await type('u');
    await press('Tab');
    await soon(text).toBe('git checkout ');
  });

  test('ghost text is accepted in insert mode, and k and j go through the history', async () => {
    await win.run('echo first-in-history');
    await win.ready();
    await type('echo first');
    await soon(() => win.page.locator('.cm-ghost').innerText()).toBe('-in-history');
    await press('ArrowRight');
    await soon(text).toBe('echo first-in-history');
    await press('Escape', 'd', 'd');
    await soon(text).toBe('');
    await press('k');
    await soon(text).toBe('echo first-in-history');
    await soon(mode).toBe('Normal');
    await press('j');
    await soon(text).toBe('');
  });

  test('keys that are pressed while the history is looked up act after it, in their order', async () => {
    for (const command of ['echo older', 'echo looked-up']) {
      await win.run(command);
      await win.ready();
    }
    const line = new CutLine(50);
    await line.to(served.app.url);
    const slow = await win.beside(served.browser, line.url(served.app.url));
    await slow.ready();
    await slow.page.locator('.composer .mode').waitFor();
    const keys = ['Escape', 'k', 'k', 'j', 'A', ' ', 'x', 'Escape', '0', 'i', 'j', 'Escape', 'l', 'x'];
    for (const key of keys) await slow.page.keyboard.press(key);
    await soon(() => slow.composer.inputValue()).toBe('jcho looked-up x');
    await slow.page.context().close();
    await line.dispose();
  });

  test('commands for files do nothing, and the line of commands says what it does not know', async () => {
    await type('echo kept');
    await press('Escape');
    for (const command of ['w', 'q', 'wq', 'x', 'q!', 'wqa', 'e']) {
      await press(':');
      await win.page.locator('.cm-vim-panel input').waitFor();
      await type(command);
      await press('Enter');
      await soon(() => win.page.locator('.cm-vim-panel input').count()).toBe(0);
      expect(await text()).toBe('echo kept');
    }
    await press(':');
    await win.page.locator('.cm-vim-panel input').waitFor();
    expect(await axeFaults(win.page, '.composer')).toEqual([]);
    await press('Escape');
    await soon(() => win.focused()).toBe('line');
    expect(await text()).toBe('echo kept');
  });

  test('r and Return replaces a character and runs nothing', async () => {
    const cards = await win.cards.count();
    await type('true');
    await press('Escape', 'r', 'Enter');
    await soon(text).toBe('tru\n');
    expect(await win.cards.count()).toBe(cards);
  });

  test('keys that are typed elsewhere arrive as text, whatever mode the composer was left in', async () => {
    const card = await win.run('echo a-card');
    await win.ready();
    await type('x');
    await press('Escape');
    await soon(mode).toBe('Normal');
    await card.getByRole('heading').click();
    await card.focus();
    await type('dd');
    await soon(text).toBe('ddx');
    await press('Escape', '0');
    await win.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await type('rebuild');
    await soon(text).toContain('rebuild');
    await soon(mode).toBe('Insert');
  });

  test('in insert mode every text arrives exactly, and no letter of normal mode runs anything', async () => {
    const cards = await win.cards.count();
    const letters = fc.string({ unit: fc.constantFrom(...'abdfghjklmnopqrstuvwxyzGAIOCDXY$^0;,.%~ '), maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(letters, async (keys) => {
        await press('Escape', 'Escape', 'g', 'g', 'd', 'G', 'i');
        await soon(text).toBe('');
        await type(keys);
        await soon(text).toBe(keys);
        await press('Escape');
        await type(keys);
        expect(await win.cards.count()).toBe(cards);
        await press('Escape', 'Escape');
      }),
      { numRuns: 12 },
    );
    expect(broken).toEqual([]);
  });

  test('pastes with Ctrl+V in insert and in normal mode', async () => {
    await win.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await win.page.evaluate(() => navigator.clipboard.writeText('pasted'));
    await press('Control+v');
    await soon(text).toBe('pasted');
    await press('Escape', 'Control+v');
    await soon(async () => (await text()).length).toBe('pastedpasted'.length);
  });

  test('the setting takes them away and brings them back at once', async () => {
    await press('Control+,');
    const choose = (name: string) => win.page.getByRole('group', { name: 'Composer keys' }).getByText(name);
    await choose('Default').click();
    await soon(() => win.page.locator('.composer .mode').count()).toBe(0);
    await choose('Vim').click();
    await soon(() => win.page.locator('.composer .mode').count()).toBe(1);
    await press('Escape');
    await soon(() => win.focused()).toBe('line');
  });
});
