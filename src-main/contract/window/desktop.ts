import { z } from 'zod';
import { WindowId } from './windows.ts';

/** A place of the screen, in its pixels. Displays lie on both sides of the origin. */
const Pixel = z.number().int().min(-100_000).max(100_000);

export const MENUS = ['file', 'edit', 'view', 'terminal', 'window', 'help'] as const;

/** An action of the page as the menu bar shows it. `keys`: one chord such as `Ctrl+Shift+P`, '' for an action without one. */
export const MenuEntry = z.object({
  id: z.string().max(100),
  title: z.string().max(200),
  menu: z.enum(MENUS),
  keys: z.string().max(40),
  isEnabled: z.boolean(),
});
export type MenuEntry = z.infer<typeof MenuEntry>;

/** More actions than this are no menu. */
const MAX_ENTRIES = 400;
/** A 32-pixel PNG as a data: URL takes a tenth of it. */
const MAX_ICON_CHARS = 20_000;

/**
 * What a page of the desktop app asks of its main process; nothing comes back. `raise`: bring this window to the front, as a click on a
 * notification means it. `new`: one more window on the same core. `menu`: the actions that the person has before them. `badge`: how many
 * agents and clients wait, with a picture of the number where there are some. `update`: look for a new version.
 */
export const WindowWish = z.union([
  z.enum(['raise', 'new', 'update']),
  z.object({ new: z.object({ id: WindowId, at: z.object({ x: Pixel, y: Pixel }).optional() }) }),
  z.object({ menu: z.array(MenuEntry).max(MAX_ENTRIES) }),
  z.object({
    badge: z.object({
      count: z.number().int().min(0).max(10_000),
      icon: z.string().startsWith('data:image/png;base64,').max(MAX_ICON_CHARS).nullable(),
      words: z.string().max(200),
    }),
  }),
]);
export type WindowWish = z.infer<typeof WindowWish>;

/** From the main process to a page: the person has chosen that action from the menu bar. */
export interface PageMessage {
  run: string;
}
