import type { MenuEntry } from '../../../contract/window/desktop.ts';
import { menuTemplate } from '../windows/menuTemplate.ts';
import type { SurfaceParts } from './SystemSurface.ts';

interface MenuBarDeps {
  electron: Pick<SurfaceParts, 'Menu'>;
  hasDevTools: boolean;
  newWindow(): void;
  /** Runs an action in the window in front. */
  run(id: string): void;
}

/** The menu bar, rebuilt whenever the actions of the front window change. */
export class MenuBar {
  readonly #deps: MenuBarDeps;
  #shown = '';

  constructor(deps: MenuBarDeps) {
    this.#deps = deps;
  }

  show(entries: readonly MenuEntry[]): void {
    const key = JSON.stringify(entries);
    if (key === this.#shown) return; // an open menu would close
    this.#shown = key;
    const { Menu } = this.#deps.electron;
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, { ...this.#deps, entries })));
  }
}
