import { contextBridge, ipcRenderer } from 'electron';
import { BRIDGE_CHANNEL } from '../src-main/hosts/electron/page.ts';

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
