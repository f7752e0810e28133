import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('what can be done with a card', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const press = (key: string) => win.page.keyboard.press(key);
  const copied = () => win.page.evaluate(() => navigator.clipboard.readText());
  const remark = () => win.page.getByRole('status').allInnerTexts();

  beforeAll(async () => {
    await app.start();
    const permissions = ['clipboard-read', 'clipboard-write'];
    win = new TerminalWindow((await browser.open(app.url, { permissions })).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  beforeEach(() => win?.interruptLeftovers());

  test.each([
    ['c', 'Copied 2 lines', 'one\ntwo\n'],
    ['Shift+C', 'Copied command', "printf 'one\\ntwo\\n'"],
    ['Shift+B', 'Copied 3 lines', "$ printf 'one\\ntwo\\n'\none\ntwo\n"],
    ['m', 'Copied', "```sh\nprintf 'one\\ntwo\\n'\n```\n\n/tmp · exit 0\n\n```text\none\ntwo\n```\n"],
  ])('%s on a card copies what it says', async (key, said, text) => {
    const card = await win.run("printf 'one\\ntwo\\n'");
    await soon(() => win.lines(card)).toEqual(['one', 'two']);
    await win.select(card);
    await press(key);
    await soon(async () => (await remark()).join()).toContain(said);
    await soon(copied).toBe(text);
    await press('Escape');
  });

  test('the toolbar, the menu and the palette lead to the same copy', async () => {
    const card = await win.run('echo by three ways');
    const forget = () => win.page.evaluate(() => navigator.clipboard.writeText('nothing'));
    await card.hover();
    await card.getByRole('toolbar').getByRole('button', { name: 'Copy', exact: true }).click();
    await soon(copied).toBe('by three ways\n');
    await forget();
    await win.choose(card, 'Copy output');
    await soon(copied).toBe('by three ways\n');
    await forget();
    await win.act('Copy output');
    await soon(copied).toBe('by three ways\n');
    await press('Escape');
  });

  test('a card folds to its head, says what it hides, and unfolds', async () => {
    const card = await win.run('seq 5');
    await soon(() => win.lines(card)).toHaveLength(5);
    await win.select(card);
    await press('Enter');
    await soon(() => card.locator('.line').count()).toBe(0);
    const folded = card.getByRole('button', { name: '5 lines folded' });
    await soon(() => folded.count()).toBe(1);
    await press('Space');
    await soon(() => win.lines(card)).toHaveLength(5);
    await press('Enter');
    await folded.click();
    await soon(() => win.lines(card)).toHaveLength(5);
    await press('Escape');
  });

  test('lines are filtered by pattern, turned around, and shown with their context', async () => {
    const card = await win.run('seq 40');
    await win.select(card);
    await press('/');
    const field = card.getByRole('textbox', { name: 'Filter lines' });
    await field.fill('^.?5$');
    await soon(() => win.lines(card)).toEqual(['5', '15', '25', '35']);
    await soon(() => card.locator('output').innerText()).toBe('4 of 40');
    await card.getByRole('spinbutton', { name: 'context' }).fill('1');
    await soon(() => win.lines(card)).toEqual(['4', '5', '6', '14', '15', '16', '24', '25', '26', '34', '35', '36']);
    await card.getByRole('spinbutton', { name: 'context' }).fill('0');
    await card.getByRole('checkbox', { name: 'invert' }).check();
    await soon(() => card.locator('output').innerText()).toBe('36 of 40');
    await field.fill('(');
    await soon(() => card.locator('output').innerText()).toMatch(/invalid|unterminated|pattern/i);
    await field.press('Escape');
    await soon(() => field.count()).toBe(0);
    await soon(() => card.evaluate((one) => one === document.activeElement)).toBe(true);
    await press('Escape');
    await win.ready();
  });

  test('Ctrl+F finds in every card of the tab, walks the hits, and opens what hides one', async () => {
    await win.run('for i in $(seq 100); do echo "row $i"; done; echo needle; seq 40');
    const other = await win.run('echo another needle');
    await press('Control+f');
    const field = win.page.getByPlaceholder('Find in tab');
    await field.fill('needle');
    const summary = win.page.getByRole('search').locator('output');
    await soon(() => summary.innerText()).toMatch(/^(\d+) of \1$/);
    await soon(() => other.locator('.current').allInnerTexts()).toEqual(['needle']);
    await field.press('Shift+Enter');
    const hidden = win.card('for i in');
    await soon(() => hidden.locator('.line .current').allInnerTexts()).toEqual(['needle']);
    await soon(() =>
      hidden
        .locator('.line .current')
        .first()
        .evaluate((hit) => hit.getBoundingClientRect().top > 0 && hit.getBoundingClientRect().bottom < innerHeight),
    ).toBe(true);
    await field.fill('no such words anywhere');
    await soon(() => summary.innerText()).toBe('No matches');
    await field.press('Escape');
    await soon(() => field.count()).toBe(0);
    await win.ready();
  });

  test('each hit is brought into sight, whatever cards have to open for it', async () => {
    const places = [100, 60, 130, 30, 110, 80];
    for (const place of places) await win.run(`seq -f 'line %g' ${place}; printf 'hay%s\\n' needle; seq 200`);
    await press('Control+f');
    const field = win.page.getByPlaceholder('Find in tab');
    await field.fill('hayneedle');
    const summary = win.page.getByRole('search').locator('output');
    for (const [step, place] of places.toReversed().entries()) {
      await soon(() => summary.innerText()).toBe(`${places.length - step} of ${places.length}`);
      const current = win.card(`seq -f 'line %g' ${place};`).locator('.line .current');
      await soon(() => current.allInnerTexts()).toEqual(['hayneedle']);
      await soon(() =>
        current.evaluate(
          (hit) => hit.getBoundingClientRect().top > 0 && hit.getBoundingClientRect().bottom < innerHeight,
        ),
      ).toBe(true);
      await field.press('Shift+Enter');
    }
    await field.press('Escape');
    await soon(() => field.count()).toBe(0);
    await win.composer.click(); // the keys were the found card's
    await win.ready();
  });

  test('clear draws a divider and deletes nothing', async () => {
    await win.run('echo stays in sight');
    await win.submit('clear');
    const divider = win.page.getByRole('listitem').filter({ hasText: /^\s*cleared / });
    await soon(() => divider.count()).toBe(1);
    await win.run('echo after the divider');
    await soon(() => win.card('echo stays in sight').count()).toBe(1);
    expect(await win.lines(win.card('echo stays in sight'))).toEqual(['stays in sight']);
    const order = await win.page.getByRole('list').getByRole('listitem').allInnerTexts();
    const at = (words: string) => order.findIndex((text) => text.includes(words));
    expect(at('stays in sight')).toBeLessThan(at('cleared'));
    expect(at('cleared')).toBeLessThan(at('after the divider'));
  });

  test('a command runs again, or comes back into the prompt', async () => {
    const card = await win.run('echo once more');
    await win.select(card);
    await press('Control+Enter');
    await soon(() => win.cards.filter({ hasText: 'once more' }).count()).toBe(2);
    await win.select(card);
    await press('i');
    await soon(() => win.composer.inputValue()).toBe('echo once more');
    await soon(() => win.focused()).toBe('line');
    await press('Control+u');
    await win.run('cd /');
    await win.select(card);
    await press('Control+Enter');
    await soon(() => win.dialog.innerText()).toContain('another folder');
    await win.dialog.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => win.dialog.count()).toBe(0);
    expect(await win.cards.filter({ hasText: 'once more' }).count()).toBe(2);
  });

  test('several lines for a program that would take them one by one are asked about first', async () => {
    const card = await win.start('cat');
    const paste = (text: string) =>
      win.page.evaluate((pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted);
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        document.activeElement?.dispatchEvent(event);
      }, text);
    await paste('rm -rf one\nrm -rf two\u202e\n');
    await soon(() => win.dialog.innerText()).toMatch(/^Paste \d lines\?[\s\S]*invisible characters[\s\S]*⟨U\+202E⟩/);
    await win.dialog.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => win.focused()).toBe('program');
    await paste('first\nsecond\n');
    await win.dialog.getByRole('button', { name: 'Paste' }).click();
    await soon(async () => (await win.liveRows()).filter((row) => row === 'second')).toHaveLength(2);
    await press('Control+d');
    await soon(() => win.name(card)).toBe('cat, exit 0');
    await soon(async () => (await win.lines(card)).join('\n')).not.toContain('rm -rf');
    await win.ready();
  });

  test('bookmarks and folds are there again after a restart', async () => {
    const marked = await win.run('echo worth keeping');
    await win.select(marked);
    await press('b');
    await soon(() => marked.getByRole('img', { name: 'Bookmarked' }).count()).toBe(1);
    const folded = await win.run('seq 3');
    await win.select(folded);
    await press('Enter');
    await soon(() => folded.getByRole('button', { name: '3 lines folded' }).count()).toBe(1);
    const record = () =>
      readFileSync(
        join(app.home, 'terminals', readdirSync(join(app.home, 'terminals'))[0] ?? '', 'blocks.jsonl'),
        'utf8',
      );
    await soon(record).toMatch(/"bookmarked":true/);
    const id = (await folded.getAttribute('data-flow')) ?? 'none';
    await soon(() => readFileSync(join(app.home, 'workspace.json'), 'utf8')).toContain(id);
    await app.stop();
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
    await soon(() => win.card('echo worth keeping').getByRole('img', { name: 'Bookmarked' }).count()).toBe(1);
    await soon(() => win.card('seq 3').getByRole('button', { name: '3 lines folded' }).count()).toBe(1);
  });
});
