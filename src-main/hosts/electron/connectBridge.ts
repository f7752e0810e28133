import type { BrowserWindow, WebContents } from 'electron';
import type { DesktopDeps } from './DesktopApp.ts';
import type { DesktopCore } from './DesktopCore.ts';
import { BridgeMessage, guardChannel, isOurPage } from './senderCheck.ts';
import { BRIDGE_CHANNEL } from './windows/page.ts';

export interface Bridge {
  /** Ends all subscriptions of the page `contentsId`. */
  detachWindow(window: BrowserWindow, contentsId: number): void;
}

/**
 * tRPC over IPC for the pages of our windows: `pageOf` gives the sender back when it is one of them at the moment a message comes. Any
 * other sender, and a message of another shape, is logged and not answered.
 */
export function connectBridge(
  { electron, createIPCHandler, log }: DesktopDeps,
  core: DesktopCore,
  pageOf: (sender: WebContents) => WebContents | null,
): Bridge {
  const handler = createIPCHandler({
    router: core.router,
    createContext: async ({ event }) => core.context(`window-${event.sender.id}`),
  });
  guardChannel(electron.ipcMain, BRIDGE_CHANNEL, (event, message) => {
    const mayPass = isOurPage(event, pageOf(event.sender)) && BridgeMessage.safeParse(message).success;
    if (!mayPass) log('bridge_refused', { frame: event.senderFrame?.origin ?? null });
    return mayPass;
  });
  return handler;
}
