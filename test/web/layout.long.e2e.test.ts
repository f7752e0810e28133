import { existsSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { layoutFaults } from '../support/layoutFaults.ts';
import { soon } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';
import { Stage } from './Stage.ts';
import { EMPTY_SCREENS, SCREENS } from './screens.ts';

const SIZES = [
  { width: 900, height: 600 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
];
const KINDS = ['dark', 'light'] as const;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER)).each([
  { title: 'in a window with a record', screens: SCREENS, isEmpty: false },
  { title: 'in an empty window', screens: EMPTY_SCREENS, isEmpty: true },
])('nothing is cut off or covered, $title', ({ screens, isEmpty }) => {
  const stage = new Stage({ isEmpty });
  afterAll(() => stage.dispose());

  test.each(Object.keys(screens))('%s', async (name) => {
    const { page } = await stage.ready();
    await screens[name]?.(stage.win, stage);
    for (const size of SIZES)
      for (const colorScheme of KINDS) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        await expect.poll(() => layoutFaults(page), { message: `${size.width} px, ${colorScheme}` }).toEqual([]);
        const { HANSARD_TEST_LOOKS: folder } = process.env;
        const path = `${folder}/${name.replace(/\W+/g, '-')}-${size.width}-${colorScheme}.png`;
        if (folder) await page.screenshot({ path });
      }
  });
});

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a window that becomes smaller', () => {
  const stage = new Stage();
  afterAll(() => stage.dispose());

  test('keeps the chosen card in sight, above the bar of the card mode', async () => {
    const win = await stage.ready();
    await win.page.setViewportSize({ width: 1440, height: 900 });
    const bar = win.page.getByRole('status').filter({ hasText: strings.cards.mode.title });
    const isAbove = async (upper: Locator, lower: Locator) => {
      const [one, other] = [await upper.boundingBox(), await lower.boundingBox()];
      return one !== null && other !== null && one.y > 0 && one.y + one.height <= other.y;
    };
    const card = win.card('printf');
    await win.select(card);
    await win.page.setViewportSize({ width: 900, height: 600 });
    await soon(() => isAbove(card, bar)).toBe(true);
    expect(await isAbove(win.page.getByRole('button', { name: strings.app.goToNewest }), bar)).toBe(true);
    await win.page.keyboard.press('ArrowDown');
    await win.page.keyboard.press('ArrowDown');
    await soon(() => isAbove(win.cards.last(), bar)).toBe(true);
  });
});
