import type * as Electron from 'electron';
import type { Settings } from '../../../contract/settings.ts';
import type { IDisposable } from '../../../util/Disposables.ts';
import { shortcutTaken } from './shortcutTaken.ts';

/** The parts of Electron outside of windows. */
export type SurfaceParts = Pick<typeof Electron, 'app' | 'globalShortcut' | 'nativeImage' | 'Tray' | 'Menu'>;

export interface SurfaceDeps {
  electron: SurfaceParts;
  /** Absolute path of a PNG for the tray. */
  iconPath: string;
  show(): void;
  newWindow(): void;
  quit(): void;
  /** Informs the person in a dialog that does not block. */
  tell(question: Electron.MessageBoxOptions): void;
}

/** Side of the tray's picture, in device-independent pixels. */
const TRAY_PX = 18;

/** Hansard outside of its windows: the tray, the badge of the dock or taskbar, and the global shortcut. */
export class SystemSurface implements IDisposable {
  readonly #deps: SurfaceDeps;
  #tray: Electron.Tray | null = null;
  #wanted = '';
  #registered = '';
  #count = 0;

  constructor(deps: SurfaceDeps) {
    this.#deps = deps;
  }

  /** Whether the app stays in the tray when its last window closes. */
  get keepsRunning(): boolean {
    return this.#tray !== null;
  }

  follow(settings: Pick<Settings, 'desktop.tray' | 'desktop.globalShortcut'>): void {
    if (settings['desktop.tray']) this.#tray ??= this.#makeTray();
    else this.#dropTray();
    this.#follow(settings['desktop.globalShortcut'].trim());
  }

  /** Shows how many agents and clients wait. On Windows `window` carries an icon, because the taskbar has no number. */
  badge(
    { count, icon, words }: { count: number; icon: string | null; words: string },
    window: Electron.BrowserWindow | null,
  ): void {
    const { app, nativeImage } = this.#deps.electron;
    this.#count = count;
    if (process.platform === 'win32')
      window?.setOverlayIcon(icon === null ? null : nativeImage.createFromDataURL(icon), words);
    else app.setBadgeCount(count);
    this.#tray?.setToolTip(this.#toolTip);
  }

  dispose(): void {
    this.#dropTray();
    this.#follow('');
  }

  get #toolTip(): string {
    return this.#count === 0 ? 'Hansard' : `Hansard: ${this.#count} ${this.#count === 1 ? 'waits' : 'wait'} for you`;
  }

  #makeTray(): Electron.Tray {
    const { nativeImage, Tray, Menu } = this.#deps.electron;
    const icon = nativeImage.createFromPath(this.#deps.iconPath).resize({ width: TRAY_PX, height: TRAY_PX });
    const tray = new Tray(icon);
    tray.setToolTip(this.#toolTip);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Show Hansard', click: this.#deps.show },
        { label: 'New window', click: this.#deps.newWindow },
        { type: 'separator' },
        { label: 'Quit', click: this.#deps.quit },
      ]),
    );
    tray.on('click', this.#deps.show);
    return tray;
  }

  #dropTray(): void {
    this.#tray?.destroy();
    this.#tray = null;
  }

  /** `wanted`: as Electron writes accelerators; '' for no shortcut. */
  #follow(wanted: string): void {
    if (wanted === this.#wanted) return; // so that a taken shortcut causes one message, not one per settings change
    this.#wanted = wanted;
    const { globalShortcut } = this.#deps.electron;
    if (this.#registered !== '') globalShortcut.unregister(this.#registered);
    this.#registered = wanted !== '' && this.#isRegistered(wanted) ? wanted : '';
    if (this.#registered !== wanted) this.#deps.tell(shortcutTaken(wanted));
  }

  /** Electron throws for an invalid accelerator, and returns false for one that another program has. */
  #isRegistered(keys: string): boolean {
    try {
      return this.#deps.electron.globalShortcut.register(keys, this.#deps.show);
    } catch {
      return false;
    }
  }
}
