import type { IpcMain, IpcMainEvent, WebContents } from 'electron';
import { z } from 'zod';
import { PAGE } from './windows/page.ts';

/**
 * A message of the bridge, as `trpc-electron` reads it. Its listener accesses fields of any message, so one of another shape would throw in the main
 * process.
 */
export const BridgeMessage = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('request'),
    operation: z.object({
      id: z.number(),
      type: z.enum(['query', 'mutation', 'subscription']),
      path: z.string().max(100),
    }),
  }),
  z.object({ method: z.literal('subscription.stop'), id: z.number() }),
]);

/** The sender of a message. */
export type Sender = Pick<IpcMainEvent, 'senderFrame' | 'sender'>;

/**
 * Whether a message comes from the main frame of our window and that frame shows our page. False for another or a removed frame (null), another
 * window, a replaced page, and a closed window.
 */
export function isOurPage({ senderFrame, sender }: Sender, contents: WebContents | null): boolean {
  if (!contents || contents.isDestroyed() || sender !== contents || senderFrame === null) return false;
  return senderFrame === contents.mainFrame && senderFrame.origin === PAGE.origin;
}

/** Puts `mayPass` in front of all current listeners of `channel`. They do not see refused messages, whose senders get no answer. */
export function guardChannel(
  ipc: Pick<IpcMain, 'listeners' | 'removeAllListeners' | 'on'>,
  channel: string,
  mayPass: (event: IpcMainEvent, message: unknown) => boolean,
): void {
  const listeners = ipc.listeners(channel);
  if (listeners.length === 0) throw new Error(`Nothing listens on "${channel}": there would be nothing to guard`);
  ipc.removeAllListeners(channel);
  ipc.on(channel, (event, message: unknown) => {
    if (!mayPass(event, message)) return;
    for (const listener of listeners) listener(event, message);
  });
}
