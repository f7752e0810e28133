import { join } from 'node:path';
import type { BrowserWindow, MessageBoxOptions, MessageBoxReturnValue } from 'electron';
import type { Settings } from '../../../contract/settings.ts';
import type { PageMessage, WindowWish } from '../../../contract/window/desktop.ts';
import type { IDisposable } from '../../../util/Disposables.ts';
import { detach } from '../../../util/strayErrors.ts';
import { findAppFiles } from '../../appFiles.ts';
import { hasDevTools } from '../windows/DesktopWindows.ts';
import { PAGE_CHANNEL } from '../windows/page.ts';
import { MenuBar } from './MenuBar.ts';
import { type SurfaceParts, SystemSurface } from './SystemSurface.ts';
import { Updates, type UpdatesDeps } from './Updates.ts';

export interface SystemDeps {
  electron: SurfaceParts;
  loadUpdater: UpdatesDeps['load'];
  /** The window used last. */
  front(): BrowserWindow | null;
  show(): void;
  newWindow(): void;
  ask(question: MessageBoxOptions): Promise<MessageBoxReturnValue>;
}

/** The app's parts outside of its windows: menu bar, tray, badge, shortcut, updates. */
export class DesktopSystem implements IDisposable {
  readonly #deps: SystemDeps;
  readonly #menu: MenuBar;
  readonly #surface: SystemSurface;
  readonly #updates: Updates;
  #feed = '';

  constructor(deps: SystemDeps) {
    this.#deps = deps;
    this.#menu = new MenuBar({
      ...deps,
      hasDevTools: hasDevTools(deps.electron.app),
      run: (run) => deps.front()?.webContents.send(PAGE_CHANNEL, { run } satisfies PageMessage),
    });
    this.#surface = new SystemSurface({
      ...deps,
      iconPath: join(findAppFiles().root, 'resources/icons/512x512.png'),
      quit: () => deps.electron.app.quit(),
      tell: (question) => detach('DesktopSystem', deps.ask(question)),
    });
    this.#updates = new Updates({
      feed: () => this.#feed,
      load: deps.loadUpdater,
      ask: async (question) => (await deps.ask(question)).response,
    });
  }

  /** Whether the app stays in the tray when its last window closes. */
  get keepsRunning(): boolean {
    return this.#surface.keepsRunning;
  }

  /** Shows the initial menu bar, until a page has sent its actions. */
  start(): void {
    this.#menu.show([]);
  }

  follow(settings: Settings): void {
    this.#feed = settings['update.feed'];
    this.#surface.follow(settings);
  }

  /** Grants a request of the page `senderId` that no window handles. The menu bar belongs to the front window. */
  grant(wish: Exclude<WindowWish, 'raise' | 'new' | { new: unknown }>, senderId: number): void {
    const front = this.#deps.front();
    if (wish === 'update') detach('DesktopSystem', this.#updates.look());
    else if ('badge' in wish) this.#surface.badge(wish.badge, front);
    else if (front?.webContents.id === senderId) this.#menu.show(wish.menu);
  }

  dispose(): void {
    this.#surface.dispose();
  }
}
