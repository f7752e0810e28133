import type { IpcMain, IpcMainEvent } from 'electron';
import { z } from 'zod';
import { WindowId } from '../../../contract/windows.ts';
import { WINDOW_CHANNEL } from './page.ts';

/** A place of the screen, in its pixels. Displays lie on both sides of the origin. */
const Pixel = z.number().int().min(-100_000).max(100_000);

/** `raise`: bring this window to the front, as a click on a notification means it. `new`: one more window on the same core. */
export const WindowWish = z.union([
  z.enum(['raise', 'new']),
  z.object({ new: z.object({ id: WindowId, at: z.object({ x: Pixel, y: Pixel }).optional() }) }),
]);
export type WindowWish = z.infer<typeof WindowWish>;

/** Hands each well-formed wish of one of our own pages to `grant`; everything else is dropped. */
export function followWishes(
  ipc: Pick<IpcMain, 'on'>,
  { isOurs, grant }: { isOurs(event: IpcMainEvent): boolean; grant(wish: WindowWish, senderId: number): void },
): void {
  ipc.on(WINDOW_CHANNEL, (event, message: unknown) => {
    const wish = WindowWish.safeParse(message);
    if (wish.success && isOurs(event)) grant(wish.data, event.sender.id);
  });
}
