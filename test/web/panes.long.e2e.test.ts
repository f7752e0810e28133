import { existsSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the panes of a tab', () => {
  const served = new ServedWindow();
  let win: TerminalWindow;

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(() => served.dispose());

  const views = (): Locator => win.page.locator('[data-pane-of]');
  const press = (keys: string): Promise<void> => win.page.keyboard.press(keys);
  /** Index of the pane with the green edge and the focus; -1 while they are different panes. */
  const focused = (): Promise<number> =>
    views().evaluateAll((all) => {
      const edge = all.findIndex((view) => view.classList.contains('focused'));
      return all.findIndex((view) => view.contains(document.activeElement)) === edge ? edge : -1;
    });
  /** Left, top, width and height of every pane, in percent of their area. */
  const places = (): Promise<string[]> =>
    views().evaluateAll((all: HTMLElement[]) =>
      all.map(({ style }) =>
        [style.left, style.top, style.width, style.height].map((part) => Math.round(Number.parseFloat(part))).join(' '),
      ),
    );
  /** Runs a command in the focused pane, which must be number `at`, and waits for its output there. */
  async function type(at: number, text: string): Promise<void> {
    await soon(focused).toBe(at);
    await win.page.keyboard.type(`echo ${text}-$((40+2))`);
    await press('Enter');
    await soon(() => views().nth(at).getByText(`${text}-42`, { exact: true }).count()).toBeGreaterThan(0);
  }

  test('split right and down, nested, in the folder of the split one', async () => {
    await win.ready();
    await win.run('cd /usr');
    await press('Control+Shift+D');
    await win.page.keyboard.type('echo in-$PWD'); // before the core has opened it
    await press('Enter');
    await soon(places).toEqual(['0 0 50 100', '50 0 50 100']);
    await soon(() => views().nth(1).getByText('in-/usr', { exact: true }).count()).toBeGreaterThan(0);
    await type(1, 'right');
    await press('Control+Shift+E');
    await soon(places).toEqual(['0 0 50 100', '50 0 50 50', '50 50 50 50']);
    await type(2, 'below');
    expect(await views().nth(0).getByText('below-42').count()).toBe(0);
    expect(await win.tabs.count()).toBe(3);
  });

  test('take the focus by direction and by click, and the keys with it', async () => {
    await press('Control+Alt+ArrowLeft');
    await type(0, 'left');
    await press('Control+Alt+ArrowRight');
    await soon(focused).toBe(1);
    await press('Control+Alt+ArrowDown');
    await soon(focused).toBe(2);
    await press('Control+Alt+ArrowUp');
    await type(1, 'up');
    await views()
      .nth(2)
      .locator('.tab-pane')
      .click({ position: { x: 200, y: 30 } });
    await type(2, 'clicked');
    await win.tabs.first().click();
    await type(0, 'row');
  });

  test('are as wide as a key or a drag makes them, and their terminals with them', async () => {
    await press('Control+Alt+Shift+ArrowRight');
    await soon(places).toEqual(['0 0 55 100', '55 0 45 50', '55 50 45 50']);
    const handle = win.page.locator('.pane-handle.right');
    const box = await handle.boundingBox();
    if (!box) throw new Error('there is no handle');
    const y = box.y + box.height / 4; // the other handle meets this one in the middle
    await win.page.mouse.move(box.x, y);
    await win.page.mouse.down();
    await win.page.mouse.move(box.x - 240, y, { steps: 4 });
    await win.page.mouse.up();
    await soon(async () => Number((await places())[0]?.split(' ')[2])).toBeLessThan(40);
    await soon(focused).toBe(0);
    await win.page.keyboard.type('echo cols-$(tput cols)');
    await press('Enter');
    const cols = await columnsOf(0);
    await soon(() => views().nth(0).getByText(`cols-${cols}`, { exact: true }).count()).toBeGreaterThan(0);
  });

  test('a zoomed one has the tab, and gives it back', async () => {
    await press('Control+Shift+Enter');
    await soon(places).toEqual(['0 0 100 100']);
    await type(0, 'zoomed');
    await press('Control+Shift+Enter');
    await soon(() => views().count()).toBe(3);
    await soon(focused).toBe(0);
  });

  test('one that has news has a ring, also in words, until somebody looks', async () => {
    await win.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await press('Control+Alt+ArrowRight');
    await soon(focused).toBe(1);
    await win.page.keyboard.type("sleep 1; printf '\\a'");
    await press('Enter');
    await press('Control+Alt+ArrowLeft');
    await soon(() => views().nth(1).getAttribute('class')).toContain('waits');
    await soon(() => views().nth(1).locator('.ring.news').count()).toBe(1);
    expect(await views().nth(1).locator('[data-pane-head]').innerText()).toContain(strings.panes.ring.news);
    expect(await views().nth(0).locator('.ring').count()).toBe(0);
    await win.page.evaluate(() => {
      document.hasFocus = () => true;
      window.dispatchEvent(new Event('focus'));
    });
    await soon(() => views().nth(1).getAttribute('class')).toContain('quiet');
    expect(await views().nth(1).locator('.ring').count()).toBe(0);
    await soon(focused).toBe(0);
  });

  test('come back after a reload and a restart of the core', async () => {
    const before = await places();
    await win.page.reload();
    await soon(places).toEqual(before);
    await soon(focused).toBe(0);
    await served.app.stop();
    await served.app.start();
    const { page } = await served.browser.open(served.app.url);
    await win.page.close();
    win = new TerminalWindow(page);
    await soon(places).toEqual(before);
  });

  test('become tabs and panes again by command and by drag', async () => {
    await win.tabs.first().click();
    await soon(focused).toBe(0);
    await win.act(strings.panes.actions.toTab);
    await soon(places).toEqual(['0 0 100 100']);
    const [x, y] = await middleOf(win.tabs.nth(1));
    await win.page.mouse.move(x, y);
    await win.page.mouse.down();
    const box = await views().first().boundingBox();
    if (!box) throw new Error('there is no pane');
    await win.page.mouse.move(box.x + box.width / 2, box.y + box.height - 60, { steps: 5 });
    await soon(() => win.page.locator('.drop.down').count()).toBe(1);
    await win.page.mouse.up();
    await soon(places).toEqual(['0 0 100 50', '0 50 100 50']);
    await soon(focused).toBe(1);
    expect(await win.tabs.count()).toBe(3);
  });

  test('the last one of a tab is a tab, and closing asks for what runs', async () => {
    await win.page.keyboard.type('cat');
    await press('Enter');
    await soon(() => win.focused()).toBe('program');
    await win.act(strings.panes.actions.close);
    await win.dialog.getByRole('button', { name: strings.tabs.closeQuestion.confirm }).click();
    await soon(places).toEqual(['0 0 100 100']);
    await soon(focused).toBe(0);
    await soon(() => win.tabs.count()).toBe(2);
    expect(await win.page.locator('[data-pane-head]').count()).toBe(0);
  });

  async function middleOf(locator: Locator): Promise<[number, number]> {
    const box = await locator.boundingBox();
    if (!box) throw new Error('it is not drawn');
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** How many columns fit into the pane, as in sizeOwner. */
  async function columnsOf(at: number): Promise<number> {
    const px = await views()
      .nth(at)
      .locator('.tab-pane')
      .evaluate(({ clientWidth }) => clientWidth);
    return Math.floor((px - 64) / 7.5);
  }
});
