import { createRequire } from 'node:module';
import { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, protocol, screen, session, shell } from 'electron';
import { createLog } from '../../util/Log.ts';
import { runDesktop } from './runDesktop.ts';

// Its ES module imports names of the window's side of Electron, which the main process does not have: loading it would fail.
const require = createRequire(import.meta.url);
const { createIPCHandler } = require('electron-trpc/main') as typeof import('electron-trpc/main');

// Not awaited: Electron becomes ready only after this module was evaluated.
void runDesktop({
  electron: { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, protocol, screen, session, shell },
  createIPCHandler,
  log: createLog((line) => process.stderr.write(line)),
});
