import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { BRIDGE_CHANNEL, PAGE_CHANNEL, WINDOW_CHANNEL } from '../src-main/hosts/electron/windows/page.ts';

/**
 * The bridge, and nothing else: the object that `electron-trpc/renderer` looks for. Written here rather than taken from
 * `exposeElectronTRPC` because that one hands Electron's own emitter to the page as the result of `onMessage`.
 */
contextBridge.exposeInMainWorld('electronTRPC', {
  sendMessage(message: unknown): void {
    ipcRenderer.send(BRIDGE_CHANNEL, message);
  },
  onMessage(listen: (message: unknown) => void): void {
    ipcRenderer.on(BRIDGE_CHANNEL, (_event, message) => listen(message));
  },
});

/** Functions that a web page lacks. `src-renderer/rpc/desktop.ts` is the page's side of it. */
contextBridge.exposeInMainWorld('hansardDesktop', {
  /** Brings the window to the front, also when it is minimised. */
  raise(): void {
    ipcRenderer.send(WINDOW_CHANNEL, 'raise');
  },
  /** Receives messages of the app: an action chosen from the menu bar. */
  onMessage(listen: (message: unknown) => void): void {
    ipcRenderer.on(PAGE_CHANNEL, (_event, message) => listen(message));
  },
  /** The actions for the menu bar, the number for the badge, or the wish for a new version: `WindowWish`. The app checks it. */
  tell(wish: unknown): void {
    ipcRenderer.send(WINDOW_CHANNEL, wish);
  },
  /** Opens one more window on the same core. */
  newWindow(which?: unknown): void {
    ipcRenderer.send(WINDOW_CHANNEL, which === undefined ? 'new' : { new: which });
  },
  /** The absolute path of a dropped file; '' if it is not on a disk. */
  pathOf(file: File): string {
    return webUtils.getPathForFile(file);
  },
});
