import { join } from 'node:path';
import type * as Electron from 'electron';
import type { createIPCHandler } from 'electron-trpc/main';
import { z } from 'zod';
import type { Settings } from '../../contract/settings.ts';
import { systemClock } from '../../util/Clock.ts';
import { Disposables } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { findAppFiles } from '../appFiles.ts';
import { type Bridge, connectBridge } from './connectBridge.ts';
import type { DesktopCore } from './DesktopCore.ts';
import { lostQuestion } from './lostQuestion.ts';
import { menuTemplate } from './menuTemplate.ts';
import { PAGE } from './page.ts';
import { type CloseReason, judgeClose, type QuitAnswer, quitQuestion, readAnswer } from './quitQuestion.ts';
import { WindowMemory } from './WindowMemory.ts';
import { backgroundColor, windowOptions } from './windowOptions.ts';
import { placeWindow } from './windowState.ts';

/** The parts of Electron's main process that the desktop front uses; handed in, so that it runs without the binary too. */
export type ElectronParts = Pick<
  typeof Electron,
  'app' | 'BrowserWindow' | 'dialog' | 'ipcMain' | 'Menu' | 'nativeTheme' | 'protocol' | 'screen' | 'session' | 'shell'
>;

export interface DesktopDeps {
  electron: ElectronParts;
  createIPCHandler: typeof createIPCHandler;
  log: Log;
}

/** What a second start hands over. Any process of this user can send it. */
const Welcome = z.object({ dir: z.string().max(4096).nullable() });
/** Shells are given a second to hang up; a core that takes ten has a disk that does not answer, and must not hold the session's end. */
const END_WITHIN_MS = 10_000;
/** A page that dies more often than this is not helped by loading it again. */
const MAX_RELOADS = 3;

/** One window on one core, which may run elsewhere. Electron's objects come in; what each decision is, the other files of this folder say. */
export class DesktopApp {
  readonly #deps: DesktopDeps;
  readonly #electron: ElectronParts;
  readonly #core: DesktopCore;
  readonly #memory: WindowMemory;
  readonly #ipc: Bridge;
  readonly #owned = new Disposables();
  #window: Electron.BrowserWindow | null = null;
  #life: 'open' | 'asking' | 'ending' | 'ended' = 'open';
  #reloads = 0;
  #whileRunning: Settings['quit.whileRunning'] = 'ask';

  constructor(deps: DesktopDeps, core: DesktopCore) {
    this.#deps = deps;
    this.#electron = deps.electron;
    this.#core = core;
    this.#memory = new WindowMemory({ dataFolder: core.dataFolder, clock: systemClock, log: deps.log });
    this.#ipc = connectBridge(deps, core, () => this.#window?.webContents ?? null);
  }

  /** Everything that lasts as long as the app; then the window. */
  async start(dir: string | null): Promise<void> {
    const { app, nativeTheme, Menu } = this.#electron;
    this.#owned.add(
      await this.#core.serve({ end: () => void this.close('signal'), hasWindow: () => this.#window !== null }),
    );
    this.#core.onLost(() => void this.#lost());
    this.#followSettings();
    const menu = menuTemplate(process.platform, this.#hasDevTools);
    Menu.setApplicationMenu(menu && Menu.buildFromTemplate(menu));
    nativeTheme.on('updated', () => this.#window?.setBackgroundColor(backgroundColor(nativeTheme.shouldUseDarkColors)));
    app.on('activate', () => void this.show());
    app.on('window-all-closed', () => undefined); // what closing means was decided before the window went
    app.on('before-quit', (event) => {
      if (this.#life === 'ended') return;
      event.preventDefault();
      void this.close('quit');
    });
    if (dir !== null) await this.#core.open(dir);
    await this.show();
  }

  /** The window, in front; a new one when it was closed while the core went on. */
  async show(): Promise<void> {
    if (this.#life === 'ending' || this.#life === 'ended') return;
    const window = this.#window ?? (await this.#openWindow());
    if (window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.focus();
  }

  /** Another start of the app: its folder becomes a tab here, and the window comes to the front. */
  async welcome(data: unknown): Promise<void> {
    const { dir } = Welcome.safeParse(data).data ?? { dir: null };
    if (dir !== null) await this.#core.open(dir);
    await this.show();
  }

  /** Ends the app, keeps it in the background, or leaves all as it is. While one wish is being judged, only a signal goes past it. */
  async close(reason: CloseReason): Promise<void> {
    if (this.#life !== 'open' && !(this.#life === 'asking' && reason === 'signal')) return;
    this.#life = 'asking';
    const running = await this.#core.runningPrograms();
    const verdict = judgeClose({ reason, running, platform: process.platform, whileRunning: this.#whileRunning });
    const answer = verdict === 'ask' ? await this.#ask(running) : verdict;
    if (this.#life !== 'asking') return; // a signal came meanwhile
    if (answer === 'end') return this.#end();
    this.#life = 'open';
    if (answer === 'keep') await this.#leave();
  }

  async #ask(running: string[]): Promise<QuitAnswer> {
    const question = quitQuestion(running);
    const { dialog } = this.#electron;
    const asked = this.#window ? dialog.showMessageBox(this.#window, question) : dialog.showMessageBox(question);
    const { answer, isRemembered } = readAnswer(await asked);
    // A disk that refuses costs the memory of it, not the answer.
    if (isRemembered && answer !== 'cancel')
      await this.#core.setSettings({ 'quit.whileRunning': answer }).catch(() => undefined);
    return answer;
  }

  /** The core that was joined is gone, and with it every program: the window shows what was and can do nothing. */
  async #lost(): Promise<void> {
    if (this.#life === 'ending' || this.#life === 'ended') return;
    const { app, dialog } = this.#electron;
    const question = lostQuestion();
    const asked = this.#window ? dialog.showMessageBox(this.#window, question) : dialog.showMessageBox(question);
    if ((await asked).response === 0) app.relaunch();
    this.#life = 'asking'; // whatever else was being asked: there is nothing left to keep
    await this.#end();
  }

  /** The window goes, the core and its terminals stay. */
  async #leave(): Promise<void> {
    if (!this.#window) return;
    await this.#memory.save(this.#window);
    this.#window?.destroy();
  }

  /** Everything on disk first, then the window, then the process. */
  async #end(): Promise<void> {
    this.#life = 'ending';
    if (this.#window) await this.#memory.save(this.#window);
    const deadline = systemClock.after(END_WITHIN_MS, () => this.#electron.app.exit(1));
    this.#owned.dispose();
    await this.#core.leave();
    deadline.dispose();
    this.#life = 'ended';
    this.#electron.app.quit();
  }

  async #openWindow(): Promise<Electron.BrowserWindow> {
    const { BrowserWindow, nativeTheme, screen } = this.#electron;
    const primary = screen.getPrimaryDisplay();
    const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
    const place = placeWindow(
      await this.#memory.read(),
      [primary, ...others].map(({ workArea }) => workArea),
    );
    if (this.#window) return this.#window; // two starts at once: the first has made it meanwhile
    const window = new BrowserWindow(
      windowOptions(place, { isDark: nativeTheme.shouldUseDarkColors, ...this.#files, devTools: this.#hasDevTools }),
    );
    this.#window = window;
    this.#memory.follow(window);
    if (place.isMaximized) window.maximize();
    if (place.isFullScreen) window.setFullScreen(true);
    this.#watch(window);
    try {
      await window.loadURL(PAGE.url);
    } catch (error) {
      // closed or loaded again before it was there; the files themselves were read before there was a window
      this.#deps.log('page_not_loaded', { reason: String(error) });
    }
    return window;
  }

  #watch(window: Electron.BrowserWindow): void {
    window.once('ready-to-show', () => window.show());
    window.on('close', (event) => {
      if (this.#life === 'ended') return;
      event.preventDefault();
      void this.close('window');
    });
    const { id } = window.webContents;
    window.on('closed', () => {
      this.#window = null;
      this.#ipc.detachWindow(window, id);
    });
    // Not by the bridge's own `attachWindow`: that one looks for the frame's number, which may be another by now, or none.
    window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) this.#ipc.detachWindow(window, id);
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      this.#deps.log('page_gone', { reason });
      this.#reloads += 1;
      // The core and every terminal live here, not in the page: loading it again shows them all.
      if (reason !== 'clean-exit' && this.#reloads <= MAX_RELOADS) window.webContents.reload();
    });
  }

  /** The theme rules the page by itself; the window's frame and the system's dialogs hear of it here. */
  #followSettings(): void {
    const { nativeTheme } = this.#electron;
    const following = this.#core.onSettings((settings) => {
      nativeTheme.themeSource = settings.theme;
      this.#whileRunning = settings['quit.whileRunning'];
    });
    this.#owned.add(following);
  }

  get #files(): { preload: string; icon: string | null } {
    const { root } = findAppFiles();
    return {
      preload: join(root, 'out/preload/preload.cjs'),
      icon: process.platform === 'linux' ? join(root, 'resources/icons/512x512.png') : null,
    };
  }

  /** Only in a checkout, and only when asked for. */
  get #hasDevTools(): boolean {
    return !this.#electron.app.isPackaged && process.env.HANSARD_DEVTOOLS === '1';
  }
}
