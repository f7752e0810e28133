import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('tabs in several windows', () => {
  const served = new ServedWindow();
  let win: TerminalWindow;
  /** Ids of the tabs of a window, in their order. */
  const ids = (page: Page) =>
    page.locator('[data-tab]').evaluateAll((all: HTMLElement[]) => all.map(({ dataset }) => dataset.tab ?? ''));
  const shown = (page: Page) => page.locator('[role=tab][aria-selected=true]').getAttribute('id');
  const panes = (page: Page) => page.locator('[data-pane-of]').count();

  /** The window that `act` opens, once its terminal is ready. */
  async function opened(act: () => Promise<void>): Promise<TerminalWindow> {
    const coming = win.page.context().waitForEvent('page');
    await act();
    const other = new TerminalWindow(await coming);
    await other.ready();
    return other;
  }

  /** Drags a tab by its row to a point in or outside of the page. */
  async function drag(page: Page, at: number, to: { x: number; y: number }): Promise<void> {
    const box = await page.locator('[data-tab]').nth(at).boundingBox();
    if (!box) throw new Error('there is no such tab');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 6 });
    await page.mouse.up();
  }

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(() => served.dispose());

  test('one that is moved to a new window is there alone, and goes on', async () => {
    await win.ready();
    await win.run('echo left behind');
    for (const count of [2, 3]) {
      await win.page.keyboard.press('Control+Shift+T');
      await soon(() => win.tabs.count()).toBe(count);
      await soon(() => win.tabs.last().getAttribute('aria-selected')).toBe('true');
      await win.ready();
    }
    await win.run('echo moved along');
    const [, , moved] = await ids(win.page);
    const other = await opened(() => win.act(strings.tabs.actions.toNewWindow));
    await soon(() => ids(other.page)).toEqual([moved]);
    await soon(() => other.lines(other.card('echo moved along'))).toEqual(['moved along']);
    await soon(() => ids(win.page).then((all) => all.includes(moved ?? ''))).toBe(false);
    expect(await win.tabs.count()).toBe(2);
    expect(new URL(other.page.url()).search).toBe('');

    await other.page.reload();
    await other.ready();
    await soon(() => ids(other.page)).toEqual([moved]);

    await other.page.keyboard.press('Control+Shift+T');
    await soon(() => other.tabs.count()).toBe(2);
    await soon(() => win.tabs.count()).toBe(2);

    const gone = other.page.waitForEvent('close');
    await other.act(strings.tabs.actions.toWindow);
    await other.page.getByRole('option', { name: strings.tabs.mainWindow }).click();
    await soon(() => win.tabs.count()).toBe(3);
    await soon(() => other.tabs.count()).toBe(1);
    await other.page.getByRole('tab').first().click({ button: 'right' });
    await other.page.getByRole('menuitem', { name: strings.tabs.menu.toWindow, exact: true }).hover();
    await other.page.getByRole('menuitem', { name: strings.tabs.mainWindow }).click();
    await gone;
    await soon(() => win.tabs.count()).toBe(4);
  });

  test('one that is dragged out of the window opens one, and comes back when that is closed', async () => {
    const before = await ids(win.page);
    const other = await opened(() => drag(win.page, 1, { x: -60, y: 300 }));
    await soon(() => ids(other.page)).toEqual([before[1]]);
    await soon(() => win.tabs.count()).toBe(3);
    await other.page.close();
    await soon(() => ids(win.page)).toEqual(before);
  });

  test('one that is dropped on another window is taken by it', async () => {
    const before = await ids(win.page);
    const other = await opened(() => drag(win.page, 3, { x: -60, y: 300 }));
    await soon(() => win.tabs.count()).toBe(3);
    await other.page.evaluate(() => {
      for (const [name, value] of Object.entries({ screenX: 5000, screenY: 0, outerWidth: 800, outerHeight: 800 }))
        Object.defineProperty(window, name, { value });
    });
    await drag(win.page, 0, { x: 5100, y: 300 });
    await soon(async () => (await ids(other.page)).sort()).toEqual([before[0], before[3]].sort());
    await soon(() => shown(other.page)).toBe(`tab-${before[0]}`);
    await other.page.close();
    await soon(() => win.tabs.count()).toBe(4);
  });

  test('panes and the shown tab are those of each window, after a reload and a restart', async () => {
    const other = await opened(() => win.act(strings.app.actions.newWindow));
    await soon(() => other.tabs.count()).toBe(4);
    await win.tabs.nth(0).click();
    await win.ready();
    await win.page.keyboard.press('Control+Shift+D');
    await soon(() => panes(win.page)).toBe(2);
    await soon(() => other.tabs.count()).toBe(5);
    await other.tabs.nth(2).click();
    await other.ready();
    const [first, second] = [await shown(win.page), await shown(other.page)];
    expect(first).not.toBe(second);
    for (const page of [win.page, other.page]) await page.reload();
    await soon(() => panes(win.page)).toBe(2);
    await soon(() => panes(other.page)).toBe(1);
    await soon(async () => [await shown(win.page), await shown(other.page)]).toEqual([first, second]);

    await served.app.stop();
    await served.app.start();
    await win.page.goto(served.app.url);
    await soon(() => panes(win.page)).toBe(2);
    await soon(() => shown(win.page)).toBe(first);
    await other.page.close();
  });

  test('a window that the browser blocks is named, and the tab stays', async () => {
    const before = await win.tabs.count();
    await win.page.evaluate(() => {
      window.open = () => null;
    });
    await win.act(strings.tabs.actions.toNewWindow);
    const remarks = win.page.locator('[role=status], [role=alert]');
    await soon(async () => (await remarks.allInnerTexts()).join()).toContain(strings.tabs.windowBlocked);
    expect(await win.tabs.count()).toBe(before);
  });
});
