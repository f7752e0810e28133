/**
 * The part of Electron's main process that the desktop front uses. Like the real module, it exports no name of the window's side
 * (`ipcRenderer`, `contextBridge`), so a bundle that imports one fails to load here too. `record` has all calls; `answers` has the
 * buttons that the person presses.
 */
import { EventEmitter } from 'node:events';
import { FakeContents } from './FakeContents.ts';

export const record = {
  /** Calls whose order matters, before and after the app is ready. */
  order: [] as string[],
  windows: [] as BrowserWindow[],
  windowOptions: [] as unknown[],
  paths: {} as Record<string, string>,
  schemes: [] as unknown[],
  handlers: new Map<string, (request: Request) => Response | Promise<Response>>(),
  sessionHandlers: {} as Record<string, (...args: unknown[]) => unknown>,
  questions: [] as { message: string; detail?: string }[],
  opened: [] as string[],
  menu: undefined as unknown,
  lockData: undefined as unknown,
  relaunches: 0,
  popups: [] as unknown[],
  badges: [] as number[],
  trays: [] as Tray[],
  shortcuts: [] as string[],
};

/** Reasons for which the next loads fail, in order. */
export const loadFailures: string[] = (process.env.FAKE_LOAD_FAILURES ?? '').split(',').filter(Boolean);

/** Numbers of the buttons that the person presses, in order. */
export const answers: number[] = [];

/** Whether the box "do not ask again" is ticked, in the same order. */
export const remembering: boolean[] = [];

/** Resolves with the exit code when the app has ended. */
export const ended = Promise.withResolvers<number>();

export class Preventable {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

class FakeApp extends EventEmitter {
  setBadgeCount(count: number): boolean {
    record.badges.push(count);
    return true;
  }
  isPackaged = process.env.FAKE_PACKAGED === '1';
  setAsDefaultProtocolClient(scheme: string): boolean {
    record.order.push(`setAsDefaultProtocolClient ${scheme}`);
    return true;
  }
  enableSandbox(): void {
    record.order.push('enableSandbox');
  }
  setPath(name: string, path: string): void {
    record.order.push('setPath');
    record.paths[name] = path;
  }
  requestSingleInstanceLock(data: unknown): boolean {
    record.order.push('requestSingleInstanceLock');
    record.lockData = data;
    return process.env.FAKE_SECOND_INSTANCE !== '1';
  }
  async whenReady(): Promise<void> {
    record.order.push('ready');
  }
  quit(): void {
    const event = new Preventable();
    this.emit('before-quit', event);
    if (!event.defaultPrevented) this.exit(0);
  }
  relaunch(): void {
    record.relaunches += 1;
  }
  exit(code: number): void {
    for (const window of record.windows) window.destroy();
    ended.resolve(code);
  }
}

export const app = new FakeApp();
export const ipcMain = new EventEmitter();

export class BrowserWindow extends EventEmitter {
  readonly webContents = new FakeContents();
  isGone = false;
  isShown = false;
  focusCount = 0;
  background = '';
  url = '';
  /** All loaded addresses, in order. */
  readonly urls: string[] = [];

  constructor(options: unknown) {
    super();
    record.windows.push(this);
    record.windowOptions.push(options);
    app.emit('web-contents-created', {}, this.webContents);
  }
  async loadURL(url: string): Promise<void> {
    const failure = loadFailures.shift();
    if (failure !== undefined) throw Object.assign(new Error(failure), { errno: -6 });
    this.url = url;
    this.urls.push(url);
    this.webContents.mainFrame.origin =
      new URL(url).origin === 'null' ? url.split('/').slice(0, 3).join('/') : new URL(url).origin;
    this.emit('ready-to-show');
  }
  show(): void {
    this.isShown = true;
  }
  focus(): void {
    this.focusCount += 1;
    this.emit('focus');
  }
  isMinimized(): boolean {
    return false;
  }
  isMaximized(): boolean {
    return false;
  }
  isFullScreen(): boolean {
    return false;
  }
  isDestroyed(): boolean {
    return this.isGone;
  }
  getNormalBounds(): unknown {
    return { x: 10, y: 20, width: 1000, height: 700 };
  }
  setBackgroundColor(color: string): void {
    this.background = color;
  }
  /** Closes the window as its close button does. */
  close(): void {
    const event = new Preventable();
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }
  destroy(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.webContents.destroy();
    this.emit('closed');
  }
}

export const dialog = {
  async showMessageBox(...args: unknown[]): Promise<{ response: number; checkboxChecked: boolean }> {
    const question = args.at(-1) as { message: string; detail?: string; cancelId?: number };
    record.questions.push(question);
    return { response: answers.shift() ?? question.cancelId ?? 0, checkboxChecked: remembering.shift() ?? false };
  },
  showErrorBox(title: string, text: string): void {
    record.questions.push({ message: title, detail: text });
  },
};

export const Menu = {
  setApplicationMenu(menu: unknown): void {
    record.menu = menu;
  },
  buildFromTemplate: (template: unknown): unknown =>
    Object.assign(template as object, { popup: () => record.popups.push(template) }),
};

export class Tray extends EventEmitter {
  toolTip = '';
  isGone = false;
  menu: { label?: string; click?: () => void }[] = [];
  constructor() {
    super();
    record.trays.push(this);
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
  setContextMenu(menu: unknown): void {
    this.menu = menu as typeof this.menu;
  }
  destroy(): void {
    this.isGone = true;
  }
}

const picture = { resize: () => picture };
export const nativeImage = { createFromPath: () => picture, createFromDataURL: () => picture };

/** As in Electron, an invalid shortcut throws. `Ctrl+Alt+T` belongs to another program. */
export const globalShortcut = {
  register(keys: string, run: () => void): boolean {
    if (!/^(\w+\+)+\w$/.test(keys))
      throw new TypeError(`Error processing argument at index 0, conversion failure from ${keys}`);
    if (keys === 'Ctrl+Alt+T') return false;
    record.shortcuts.push(keys);
    Object.assign(globalThis, { pressShortcut: run });
    return true;
  },
  unregister(keys: string): void {
    record.shortcuts = record.shortcuts.filter((own) => own !== keys);
  },
};

export const powerMonitor = new EventEmitter();

class FakeTheme extends EventEmitter {
  themeSource = 'system';
  get shouldUseDarkColors(): boolean {
    return this.themeSource !== 'light';
  }
}
export const nativeTheme = new FakeTheme();

export const protocol = {
  registerSchemesAsPrivileged(schemes: unknown[]): void {
    record.order.push('registerSchemesAsPrivileged');
    record.schemes.push(...schemes);
  },
  handle(scheme: string, handler: (request: Request) => Response | Promise<Response>): void {
    record.handlers.set(scheme, handler);
  },
};

const display = { id: 1, workArea: { x: 0, y: 0, width: 1280, height: 800 } };
export const screen = { getPrimaryDisplay: () => display, getAllDisplays: () => [display] };

const remember = (name: string) => (handler: (...args: unknown[]) => unknown) => {
  record.sessionHandlers[name] = handler;
};
export const session = {
  defaultSession: {
    setPermissionRequestHandler: remember('request'),
    setPermissionCheckHandler: remember('check'),
    setDevicePermissionHandler: remember('device'),
    setDisplayMediaRequestHandler: remember('display'),
    on: (event: string, handler: (...args: unknown[]) => unknown) => remember(event)(handler),
  },
};

export const shell = {
  async openExternal(url: string): Promise<void> {
    record.opened.push(url);
  },
};
