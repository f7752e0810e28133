import { existsSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('panes by mouse', () => {
  const served = new ServedWindow();
  let win: TerminalWindow;
  const views = (): Locator => win.page.locator('[data-pane-of]');
  const split = (): Locator => win.page.getByRole('button', { name: new RegExp(`^${strings.panes.split}\\b`) });

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(() => served.dispose());

  /** Left, top, width and height of every pane as drawn, in percent of their area. */
  const places = (): Promise<string[]> =>
    views().evaluateAll((all) =>
      all.map((view) => {
        const [box, area] = [view.getBoundingClientRect(), view.parentElement?.getBoundingClientRect()];
        if (!area) return '';
        const [x, y] = [(box.x - area.x) / area.width, (box.y - area.y) / area.height];
        return [x, y, box.width / area.width, box.height / area.height].map((part) => Math.round(part * 100)).join(' ');
      }),
    );
  /** Runs a command by keys alone in pane `at`, which must have the focus, and waits for its output there. */
  async function type(at: number, text: string): Promise<void> {
    await soon(() => views().evaluateAll((all) => all.findIndex((one) => one.contains(document.activeElement)))).toBe(
      at,
    );
    await win.page.keyboard.type(`echo ${text}-$((40+2))`);
    await win.page.keyboard.press('Enter');
    await soon(() => views().nth(at).getByText(`${text}-42`, { exact: true }).count()).toBeGreaterThan(0);
  }
  /** Drags the middle of one element to a place in another one, given as shares of its size, and drops it there after `check`. */
  async function drag(from: Locator, to: Locator, [x, y]: [number, number], check: () => Promise<void>): Promise<void> {
    const [a, b] = [await from.boundingBox(), await to.boundingBox()];
    if (!a || !b) throw new Error('it is not drawn');
    await win.page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await win.page.mouse.down();
    await win.page.mouse.move(b.x + b.width * x, b.y + b.height * y, { steps: 8 });
    await check();
    await win.page.mouse.up();
  }

  test('a click on Split splits to the right, Alt+click downwards, and the keys go to the new pane', async () => {
    await win.ready();
    await win.run('cd /usr');
    await split().click();
    await soon(places).toEqual(['0 0 50 100', '50 0 50 100']);
    await type(1, 'right');
    await soon(() => views().nth(1).locator('[data-pane-head]').innerText()).toContain('/usr');
    await split().click({ modifiers: ['Alt'] });
    await soon(places).toEqual(['0 0 50 100', '50 0 50 50', '50 50 50 50']);
    await type(2, 'below');
  });

  test('the menu of Split has both directions', async () => {
    await win.act(strings.panes.actions.close);
    await soon(() => views().count()).toBe(2);
    await views().nth(1).locator('[data-pane-head] .label').click();
    await split().click({ button: 'right' });
    const items = win.page.getByRole('menuitem');
    await soon(() => items.locator('span').first().innerText()).toBe(strings.panes.actions.splitRight);
    await win.page.getByRole('menuitem', { name: strings.panes.actions.splitDown }).click();
    await soon(places).toEqual(['0 0 50 100', '50 0 50 50', '50 50 50 50']);
    await type(2, 'by-menu');
  });

  test('a pane that is dragged to the list is a tab, and a pane again on a half of another', async () => {
    await win.page.keyboard.type('cat\n');
    await soon(() => win.focused()).toBe('program');
    await win.page.keyboard.type('kept');
    const head = views().nth(2).locator('[data-pane-head]');
    const id = (await head.getAttribute('data-pane-head')) ?? '';
    await drag(head.locator('.label'), win.tabs.first(), [0.5, 0.5], async () => {
      await soon(() => win.page.locator('.drop').count()).toBe(0);
    });
    await soon(places).toEqual(['0 0 100 100']);
    await soon(() => views().first().getAttribute('data-pane-of')).toBe(id);
    expect(await win.tabs.count()).toBe(3);
    await soon(() => win.liveRows()).toContain('kept');
    await win.tabs.first().click();
    await soon(places).toEqual(['0 0 50 100', '50 0 50 100']);
    await drag(win.page.locator(`[data-tab="${id}"]`), views().first(), [0.5, 0.15], async () => {
      await soon(() => win.page.locator('.drop.up').count()).toBe(1);
    });
    await soon(() => views().count()).toBe(3);
    const at = await views().evaluateAll(
      (all: HTMLElement[], own) => all.findIndex((one) => one.dataset.paneOf === own),
      id,
    );
    await soon(async () => (await places())[at]).toBe('0 0 50 50');
    await soon(() => win.focused()).toBe('program'); // the dragged one has the keys
    await win.page.keyboard.type(' line\n');
    await soon(async () => (await views().nth(at).locator('.xterm-rows').innerText()).match(/kept line/g)?.length).toBe(
      2,
    );
    await win.page.keyboard.press('Control+d');
  });

  test('Escape takes a drag back', async () => {
    const before = await places();
    await drag(views().first().locator('[data-pane-head] .label'), win.tabs.first(), [0.5, 0.5], () =>
      win.page.keyboard.press('Escape'),
    );
    await win.tabs.first().click();
    expect(await places()).toEqual(before);
  });
});
