import { createRequire } from 'node:module';
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
import { resolveDataFolder } from '../../store/dataFolder.ts';
import { detach } from '../../util/strayErrors.ts';
import { createFileLog } from '../logFile.ts';
import { runDesktop } from './runDesktop.ts';

// Its ES module imports names of the window's side of Electron, which the main process does not have: loading it would fail.
const require = createRequire(import.meta.url);
const { createIPCHandler } = require('electron-trpc/main') as typeof import('electron-trpc/main');

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
