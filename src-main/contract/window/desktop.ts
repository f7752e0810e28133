import { z } from 'zod';
import { WindowId } from './windows.ts';

/** A screen coordinate in pixels. Displays lie on both sides of the origin. */
const Pixel = z.number().int().min(-100_000).max(100_000);

export const MENUS = ['file', 'edit', 'view', 'terminal', 'window', 'help'] as const;

/** An action of the page for the menu bar. `keys`: one chord such as `Ctrl+Shift+P`, '' for an action without one. */
export const MenuEntry = z.object({
  id: z.string().max(100),
  title: z.string().max(200),
  menu: z.enum(MENUS),
  keys: z.string().max(40),
  isEnabled: z.boolean(),
});
export type MenuEntry = z.infer<typeof MenuEntry>;

/** More actions than a menu can have. */
const MAX_ENTRIES = 400;
/** Ten times a 32-pixel PNG as a data: URL. */
const MAX_ICON_CHARS = 20_000;

/**
 * A request of a desktop page to its main process, without an answer. `raise`: bring this window to the front, after a click on a
 * notification. `new`: open another window on the same core. `menu`: the actions currently available to the person. `badge`: number of
 * waiting agents and clients, with a picture of the number if there are any. `update`: look for a new version.
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

/** From the main process to a page: the action that the person chose from the menu bar. */
export interface PageMessage {
  run: string;
}
