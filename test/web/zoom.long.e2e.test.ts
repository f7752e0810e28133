import { existsSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { cutOff, ZOOMED_SIZES } from '../support/cutOff.ts';
import { BROWSER } from '../support/WebApp.ts';
import { Stage } from './Stage.ts';
import { EMPTY_SCREENS, SCREENS } from './screens.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER)).each([
  { title: 'in a window with a record', screens: SCREENS, isEmpty: false },
  { title: 'in an empty window', screens: EMPTY_SCREENS, isEmpty: true },
])('at 200 % nothing is cut off, $title', ({ screens, isEmpty }) => {
  const stage = new Stage({ isEmpty });
  afterAll(() => stage.dispose());

  test.each(Object.keys(screens))('%s', async (name) => {
    const { page } = await stage.ready();
    await screens[name]?.(stage.win, stage);
    for (const size of ZOOMED_SIZES) {
      await page.setViewportSize(size);
      await expect.poll(() => cutOff(page), { timeout: 4_000 }).toEqual([]);
      if (process.env.LOOK_AT)
        await page.screenshot({ path: `${process.env.LOOK_AT}/z-${name.replace(/\W+/g, '-')}-${size.width}.png` });
    }
  });
});
