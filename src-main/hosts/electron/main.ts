import { homedir } from 'node:os';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
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
      ipcMain,
      Menu,
      nativeTheme,
      powerMonitor,
      protocol,
      screen,
      session,
      shell,
    },
    createIPCHandler,
    log: createFileLog(resolveDataFolder(process.env, process.platform, homedir())),
  }),
);
