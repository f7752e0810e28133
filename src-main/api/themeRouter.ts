import type { ListedTheme } from '../contract/theme.ts';
import { procedure, router } from './trpc.ts';

export const themeRouter = router({
  /** Built-in and imported themes, as the folder has them now. */
  list: procedure.query(({ ctx }): Promise<ListedTheme[]> => ctx.core.look.themes.list()),
});
