import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { systemClock } from '../../../util/Clock.ts';
import { detach } from '../../../util/strayErrors.ts';
import { findAppFiles } from '../../appFiles.ts';
import type { Bridge } from '../connectBridge.ts';
import type { DesktopDeps, ElectronParts } from '../DesktopApp.ts';
import { loadFailure } from '../loadFailure.ts';
import { editMenu } from './editMenu.ts';
import { pageUrl } from './page.ts';
import { type Watched, WindowMemory } from './WindowMemory.ts';
import { backgroundColor, windowOptions } from './windowOptions.ts';
import { placeWindow, shiftPlace, type WindowState } from './windowState.ts';
import { zoomAfter } from './zoomKeys.ts';

/** Maximum number of reloads for a page that keeps crashing. */
const MAX_RELOADS = 3;

export interface WindowsDeps extends DesktopDeps {
  dataFolder: string;
  bridge(): Bridge;
  /** Whether the app is ending, so that nothing may keep a window open. */
  isEnding(): boolean;
  /** The last window is about to close: the app decides what to do with running programs. */
  onLastClose(): void;
}

/** Another window: the id of its layout, the place that it opens, and its position on the screen. */
export interface NewWindow {
  id?: string | undefined;
  hash?: string | undefined;
  at?: { x: number; y: number } | undefined;
}

/** All windows of the app. Each shows the same core; closing one of several closes nothing else. */
export class DesktopWindows {
  readonly #deps: WindowsDeps;
  readonly #electron: ElectronParts;
  readonly #memory: WindowMemory;
  /** All windows with their ids. */
  readonly #windows = new Map<Electron.BrowserWindow, string>();
  /** The last used window, which moves to the front on request. */
  #last: Electron.BrowserWindow | null = null;
  #first: Promise<void> | null = null;

  constructor(deps: WindowsDeps) {
    this.#deps = deps;
    this.#electron = deps.electron;
    this.#memory = new WindowMemory({ ...deps, clock: systemClock, more: (window) => this.#besides(window) });
    const { nativeTheme } = deps.electron;
    nativeTheme.on('updated', () => {
      for (const window of this.#windows.keys())
        window.setBackgroundColor(backgroundColor(nativeTheme.shouldUseDarkColors));
    });
  }

  get count(): number {
    return this.#windows.size;
  }

  /** The parent window of dialogs; null without one. */
  get front(): Electron.BrowserWindow | null {
    return this.#last;
  }

  /** Returns `contents` if it is the page of one of our windows; else null. */
  pageOf(contents: Electron.WebContents): Electron.WebContents | null {
    return this.#windowOf(contents.id)?.webContents ?? null;
  }

  /**
   * Brings the last used window to the front; without a window it restores those of the last session, which concurrent calls share. `hash` is the
   * place that the page opens, '' for none; a loaded page gets it without a reload.
   */
  async show(hash = ''): Promise<void> {
    if (!this.#last) {
      this.#first ??= this.#openFirst();
      await this.#first;
    }
    if (!this.#last) return;
    if (hash !== '') await this.#load(this.#last, hash);
    if (this.#last) raise(this.#last);
  }

  async #openFirst(): Promise<void> {
    try {
      const saved = await this.#memory.read();
      for (const other of saved?.others ?? []) await this.#open({ version: 1, ...other });
      await this.#open(saved);
    } finally {
      this.#first = null;
    }
  }

  /** Opens one more window, slightly offset from the last used one or at a position on the screen. `id` and `hash` as in `pageUrl`. */
  async openAnother({ id, hash = '', at }: NewWindow = {}): Promise<void> {
    if (!this.#last) return this.show(hash);
    const beside = shiftPlace(this.#memory.stateOf(this.#last));
    const bounds = { ...beside.bounds, ...at };
    raise(await this.#open({ ...beside, bounds, ...(id !== undefined && { id }) }, hash));
  }

  /** The window whose page is `contentsId`, in front. */
  raise(contentsId: number): void {
    const window = this.#windowOf(contentsId);
    if (window) raise(window);
  }

  /** Closes all windows and saves the position of the last one. */
  async closeAll(): Promise<void> {
    if (this.#last) await this.#memory.save(this.#last);
    for (const window of [...this.#windows.keys()]) window.destroy();
  }

  /** Saves the position of the last window. */
  async remember(): Promise<void> {
    if (this.#last) await this.#memory.save(this.#last);
  }

  #windowOf(contentsId: number): Electron.BrowserWindow | undefined {
    return [...this.#windows.keys()].find((window) => !window.isDestroyed() && window.webContents.id === contentsId);
  }

  /** The state to save in addition to the position of `window`. */
  #besides(window: Watched): Pick<WindowState, 'id' | 'others'> {
    const others = [...this.#windows].filter(([other]) => other !== window && !other.isDestroyed());
    const id = [...this.#windows].find(([other]) => other === window)?.[1];
    return {
      ...(id !== undefined && { id }),
      ...(others.length > 0 && {
        others: others.map(([other, name]) => ({ id: name, ...this.#memory.stateOf(other) })),
      }),
    };
  }

  async #open(state: WindowState | null, hash = ''): Promise<Electron.BrowserWindow> {
    const { BrowserWindow, nativeTheme, screen } = this.#electron;
    const primary = screen.getPrimaryDisplay();
    const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
    const place = placeWindow(
      state,
      [primary, ...others].map(({ workArea }) => workArea),
    );
    const window = new BrowserWindow(
      windowOptions(place, {
        isDark: nativeTheme.shouldUseDarkColors,
        ...this.#files,
        devTools: hasDevTools(this.#electron.app),
      }),
    );
    this.#windows.set(window, state?.id ?? newWindowId());
    this.#last = window;
    this.#memory.follow(window);
    if (place.isMaximized) window.maximize();
    if (place.isFullScreen) window.setFullScreen(true);
    this.#watch(window);
    await this.#load(window, hash);
    return window;
  }

  /** A page that cannot be loaded never fires `ready-to-show`: this shows the window and the reason. */
  async #load(window: Electron.BrowserWindow, hash: string): Promise<void> {
    for (;;) {
      try {
        return await window.loadURL(pageUrl(this.#windows.get(window) ?? newWindowId(), hash));
      } catch (error) {
        if (window.isDestroyed() || this.#deps.isEnding()) return;
        const reason = error instanceof Error ? error.message : String(error);
        this.#deps.log('page_not_loaded', { reason });
        if (isSuperseded(error)) return;
        window.show();
        const { response } = await this.#electron.dialog.showMessageBox(window, loadFailure(reason));
        if (response !== 0 || window.isDestroyed()) return;
      }
    }
  }

  #watch(window: Electron.BrowserWindow): void {
    const contents = window.webContents;
    const { id } = contents;
    window.once('ready-to-show', () => window.show());
    window.on('focus', () => {
      this.#last = window;
    });
    window.on('close', (event) => {
      if (this.#deps.isEnding() || this.#windows.size > 1) return;
      event.preventDefault();
      this.#deps.onLastClose();
    });
    window.on('closed', () => {
      this.#windows.delete(window);
      if (this.#last === window) this.#last = [...this.#windows.keys()].at(-1) ?? null;
      if (this.#last && !this.#deps.isEnding()) detach('DesktopWindows', this.#memory.save(this.#last));
      this.#deps.bridge().detachWindow(window, id);
    });
    // The bridge's own `attachWindow` looks up the frame's number, which may have changed or gone.
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) this.#deps.bridge().detachWindow(window, id);
    });
    this.#reloadWhenGone(contents);
    contents.on('before-input-event', (event, input) => {
      const level = zoomAfter(input, contents.getZoomLevel(), process.platform);
      if (level === null) return;
      event.preventDefault();
      contents.setZoomLevel(level);
    });
    contents.on('context-menu', (_event, params) => {
      const menu = editMenu(params);
      if (menu) this.#electron.Menu.buildFromTemplate(menu).popup({ window });
    });
  }

  /** The core and every terminal live outside the page: loading it again shows them all. */
  #reloadWhenGone(contents: Electron.WebContents): void {
    let reloads = 0;
    contents.on('render-process-gone', (_event, { reason }) => {
      this.#deps.log('page_gone', { reason });
      reloads += 1;
      if (reason !== 'clean-exit' && reloads <= MAX_RELOADS) contents.reload();
    });
  }

  get #files(): { preload: string; icon: string | null } {
    const { root } = findAppFiles();
    return {
      preload: join(root, 'out/preload/preload.cjs'),
      icon: process.platform === 'linux' ? join(root, 'resources/icons/512x512.png') : null,
    };
  }
}

/** Developer tools are for work on Hansard itself: never in a packaged app. */
export function hasDevTools(app: Pick<Electron.App, 'isPackaged'>): boolean {
  return !app.isPackaged && process.env.HANSARD_DEVTOOLS === '1';
}

/** ERR_ABORTED (-3): the page was loaded again before it was there, and that later load has its own answer. */
function isSuperseded(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === -3;
}

/** A name for the layout of one more window. */
function newWindowId(): string {
  return `w${randomBytes(6).toString('hex')}`;
}

function raise(window: Electron.BrowserWindow): void {
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
