import { homedir } from 'node:os';
import {
  app,
  BrowserWindow,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray,
} from 'electron';
import { createIPCHandler } from 'electron-trpc/main';
import { resolveDataFolder } from '../../store/instance/dataFolder.ts';
import { detach } from '../../util/strayErrors.ts';
import { createFileLog } from '../logFile.ts';
import { runDesktop } from './runDesktop.ts';

// Not awaited: Electron becomes ready only after this module was evaluated.
detach(
  'main',
  runDesktop({
    electron: {
      app,
      BrowserWindow,
      dialog,
      globalShortcut,
      ipcMain,
      Menu,
      nativeImage,
      nativeTheme,
      powerMonitor,
      protocol,
      screen,
      session,
      shell,
      Tray,
    },
    createIPCHandler,
    loadUpdater: async () => (await import('electron-updater')).autoUpdater,
    log: createFileLog(resolveDataFolder(process.env, process.platform, homedir())),
  }),
);
