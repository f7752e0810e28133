import { existsSync } from 'node:fs';
import { afterAll, describe, test } from 'vitest';
import { BUILTIN_THEMES } from '../../src-main/shared/themes/builtinThemes.ts';
import { axeFaults } from '../support/axe.ts';
import { soon } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';
import { Stage } from './Stage.ts';
import { EMPTY_SCREENS, SCREENS } from './screens.ts';

const KINDS = ['dark', 'light'] as const;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('axe finds nothing', () => {
  describe.each([
    { title: 'in a window with a record', screens: SCREENS, isEmpty: false },
    { title: 'in an empty window', screens: EMPTY_SCREENS, isEmpty: true },
  ])('$title', ({ screens, isEmpty }) => {
    const stage = new Stage({ isEmpty });
    afterAll(() => stage.dispose());

    test.each(Object.keys(screens))('%s', async (name) => {
      await screens[name]?.(await stage.ready(), stage);
      for (const kind of KINDS) {
        await show(stage, kind);
        await soon(() => axeFaults(stage.win.page, 'html')).toEqual([]); // what fades in is pale for a moment
      }
    });
  });

  describe('in every theme', () => {
    const stage = new Stage();
    afterAll(() => stage.dispose());

    test.each(BUILTIN_THEMES.map(({ id, kind }) => ({ id, kind })))('$id', async ({ id, kind }) => {
      const { page } = await stage.ready();
      await stage.settings({ [`theme.${kind}`]: id });
      await show(stage, kind);
      await soon(() => page.evaluate(() => document.documentElement.dataset.palette)).toBe(
        id === 'ink' || id === 'paper' ? 'own' : id,
      );
      await soon(() => axeFaults(page, 'html')).toEqual([]);
    });
  });
});

async function show({ win }: Stage, kind: (typeof KINDS)[number]): Promise<void> {
  await win.page.emulateMedia({ colorScheme: kind });
  await soon(() => win.page.evaluate(() => document.documentElement.dataset.theme)).toBe(kind);
}
