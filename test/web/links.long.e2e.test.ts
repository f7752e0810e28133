import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { runCli } from '../cli/runCli.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the link of a card', () => {
  const served = new ServedWindow();
  let win: TerminalWindow;
  const copied = () => win.page.evaluate(() => navigator.clipboard.readText());
  /** The card that has the keys, by its command. */
  const marked = (page = win.page) =>
    page.evaluate(() => document.activeElement?.closest('li.card')?.querySelector('h3')?.textContent?.trim() ?? '');
  /** As a person does it: the address goes into the bar of this window. */
  const go = (hash: string) =>
    win.page.evaluate((to) => {
      location.hash = to;
    }, hash);
  const remark = async () => (await win.page.locator('[role=status], [role=alert]').allInnerTexts()).join(' ');

  beforeAll(async () => {
    win = await served.start();
    await win.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  afterAll(() => served.dispose());

  test('shows that card in its window, scrolled to and marked, from whichever tab', async () => {
    await win.ready();
    await win.run('seq 300');
    await win.run('seq 200');
    await win.choose(win.card('seq 300'), strings.cards.copyLink);
    const link = new URL(await copied());
    expect(link.origin).toBe(new URL(served.app.url).origin);
    expect(link.hash).toMatch(/^#\/terminal\/[\w-]+\/card\/[\w-]+$/);
    await win.act('New tab');
    await soon(() => win.tabs.count()).toBe(2);
    await win.ready();
    await go(link.hash);
    await soon(() => marked()).toContain('seq 300');
    await soon(() => win.tabs.first().getAttribute('aria-selected')).toBe('true');
    expect(new URL(win.page.url()).hash).toBe('');
    await soon(() => win.card('seq 300').evaluate((card) => card.getBoundingClientRect().bottom > 0)).toBe(true);
  });

  test('is shown by the first window that `hansard open` gives the link to', async () => {
    await win.choose(win.card('seq 300'), strings.cards.copyLink);
    const { hash } = new URL(await copied());
    const link = `hansard://${hash.slice(2)}`;
    const { stdout } = await runCli(['open', '--no-open', link], { home: served.app.home });
    const url = /http:\S+/.exec(stdout)?.[0] ?? '';
    expect(url).toMatch(/#[^/]+\/terminal\/[\w-]+\/card\/[\w-]+$/);
    const { page, context } = await served.browser.open(url);
    await soon(() => marked(page)).toContain('seq 300');
    await context.close();
  });

  test('of a terminal leads to its tab, from its menu and from the palette', async () => {
    await win.tabs.first().click({ button: 'right' });
    await win.page.getByRole('menuitem', { name: strings.tabs.menu.copyLink }).click();
    await soon(copied).toMatch(/#\/terminal\/[\w-]+$/);
    const { hash } = new URL(await copied());
    await win.tabs.nth(1).click();
    await go(hash);
    await soon(() => win.tabs.first().getAttribute('aria-selected')).toBe('true');
    await win.tabs.nth(1).click();
    await win.act(strings.tabs.actions.copyLink);
    await soon(async () => (await copied()) === `${new URL(served.app.url).origin}/${hash}`).toBe(false);
  });

  test('to what is not there, or is no link of ours, says so and does nothing', async () => {
    const before = await win.tabs.count();
    const { terminalId } = { terminalId: (await copied()).split('/').at(-1) ?? '' };
    for (const [hash, text] of [
      [`#/terminal/${terminalId}/card/b999-0`, strings.cards.link.noCard('b999-0')],
      ['#/terminal/t1-gone', strings.cards.link.noTerminal('t1-gone')],
      ['#/terminal/t1%00', strings.cards.link.refused.form],
      ['#/terminal/<img src=x onerror=alert(1)>', strings.cards.link.refused.form],
      ['#/javascript:alert(1)', strings.cards.link.refused.form],
      [`#/terminal/${'x'.repeat(5000)}`, strings.cards.link.refused.long],
    ] as const) {
      await go(hash);
      await soon(remark).toContain(text);
    }
    expect(await win.tabs.count()).toBe(before);
    expect(await win.dialog.count()).toBe(0);
  });

  test.each([
    ['hansard://terminal/t1%00', 'it names no terminal'],
    ['https://example.org/#/terminal/t1', 'it leads elsewhere'],
    ['hansard:x', 'it leads elsewhere'],
  ])('%s on the command line is refused before anything starts', async (link, reason) => {
    const { code, stderr, stdout } = await runCli(['open', '--no-open', link], { home: served.app.home });
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain(`the link was not opened: ${reason}`);
  });
});
