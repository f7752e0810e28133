import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('“Go to newest” in card mode', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const press = (key: string) => win.page.keyboard.press(key);
  const pill = () => win.page.getByRole('button', { name: strings.app.goToNewest });
  const bar = () => win.page.getByRole('status').filter({ hasText: strings.cards.mode.title });
  /** The last card is chosen, and it ends above the bar. */
  const isLastInView = async () => {
    const [card, over] = await Promise.all([win.cards.last().boundingBox(), bar().boundingBox()]);
    const isChosen = (await win.cards.last().getAttribute('class'))?.includes('chosen') === true;
    return isChosen && card !== null && over !== null && card.y + card.height <= over.y;
  };

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test('is not there when the last card is in view, and is there when it is not', async () => {
    for (const lines of [30, 25, 3]) await win.run(`seq ${lines}`);
    await press('F6');
    await soon(isLastInView).toBe(true);
    await soon(() => pill().count()).toBe(0);
    await press('ArrowUp');
    await press('ArrowUp');
    await soon(() => pill().count()).toBe(1);
    await press('ArrowDown');
    await press('ArrowDown');
    await soon(isLastInView).toBe(true);
    await soon(() => pill().count()).toBe(0);
  });
});
