import { z } from 'zod';
import { type ListedTheme, Theme, type ThemeImport } from '../contract/window/theme.ts';
import { MAX_THEME_CHARS } from '../contract/window/themeLimits.ts';
import { procedure, router } from './trpc.ts';

export const themeRouter = router({
  /** Built-in and imported themes; reads the folder again. */
  list: procedure.query(({ ctx }): Promise<ListedTheme[]> => ctx.core.look.themes.list()),

  /** Imports a theme file of another terminal; replaces one of the same name. A refusal is part of the result. */
  importFile: procedure
    .input(z.object({ fileName: z.string().max(1000), text: z.string().max(MAX_THEME_CHARS) }))
    .mutation(({ ctx, input }): Promise<ThemeImport> => ctx.core.look.themes.importFile(input.fileName, input.text)),

  remove: procedure
    .input(Theme.pick({ id: true }))
    .mutation(({ ctx, input }): Promise<void> => ctx.core.look.themes.remove(input.id)),
});
