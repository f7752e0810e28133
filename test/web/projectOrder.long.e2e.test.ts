import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the order of projects', () => {
  const served = new ServedWindow();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-order-')));
  let win: TerminalWindow;
  const heads = () => win.page.locator('[data-project]');
  const order = async () =>
    (await heads().evaluateAll((all: HTMLElement[]) => all.map(({ dataset }) => dataset.project ?? ''))).map((root) =>
      basename(root),
    );
  const middle = async (at: number): Promise<[number, number]> => {
    const box = await heads().nth(at).boundingBox();
    if (!box) throw new Error('there is no such project');
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  /** Picks a project up and holds it over another one. */
  async function hold(from: number, over: number, by: number): Promise<void> {
    await win.page.mouse.move(...(await middle(from)));
    await win.page.mouse.down();
    const [x, y] = await middle(over);
    await win.page.mouse.move(x, y + by, { steps: 6 });
  }

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is that of their first tabs until the person drags one', async () => {
    for (const [at, name] of ['ash', 'birch', 'cedar'].entries()) {
      if (at > 0) {
        await win.page.keyboard.press('Control+Shift+T');
        await soon(() => win.tabs.count()).toBe(at + 1);
        await soon(() => win.tabs.last().getAttribute('aria-selected')).toBe('true');
      }
      mkdirSync(join(folder, name));
      await win.ready();
      await win.run(`cd ${join(folder, name)}`);
    }
    await soon(order).toEqual(['ash', 'birch', 'cedar']);
    await hold(2, 0, -4);
    await soon(() => heads().first().getAttribute('data-drop')).toBe('before');
    await win.page.mouse.up();
    await soon(order).toEqual(['cedar', 'ash', 'birch']);
    expect(await heads().first().getAttribute('aria-expanded')).toBe('true'); // a drag is no click
    await hold(0, 2, 8);
    await win.page.mouse.up();
    await soon(order).toEqual(['ash', 'birch', 'cedar']);
  });

  test('stays when Escape takes a drag back', async () => {
    await hold(2, 0, -4);
    await win.page.keyboard.press('Escape');
    await win.page.mouse.up();
    await soon(order).toEqual(['ash', 'birch', 'cedar']);
    expect(await win.page.locator('[data-drop], [data-dragged]').count()).toBe(0);
  });

  test('is changed by keys, which stay on the project, and stops at both ends', async () => {
    await heads().first().focus();
    const on = () =>
      win.page.evaluate(() => (document.activeElement as HTMLElement).dataset.project?.split('/').at(-1));
    await win.page.keyboard.press('Alt+Shift+ArrowDown');
    await soon(order).toEqual(['birch', 'ash', 'cedar']);
    await soon(on).toBe('ash');
    for (let press = 0; press < 3; press += 1) await win.page.keyboard.press('Alt+Shift+ArrowDown');
    await soon(order).toEqual(['birch', 'cedar', 'ash']);
    for (let press = 0; press < 4; press += 1) await win.page.keyboard.press('Alt+Shift+ArrowUp');
    await soon(order).toEqual(['ash', 'birch', 'cedar']);
    await soon(on).toBe('ash');
  });

  test('comes back after a reload', async () => {
    await heads().first().focus();
    await win.page.keyboard.press('Alt+Shift+ArrowDown');
    await soon(order).toEqual(['birch', 'ash', 'cedar']);
    await win.page.reload();
    await soon(order).toEqual(['birch', 'ash', 'cedar']);
  });
});
