import type { IpcMain, IpcMainEvent } from 'electron';
import { WindowWish } from '../../../contract/window/desktop.ts';
import { WINDOW_CHANNEL } from './page.ts';

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
