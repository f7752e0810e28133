import type { PageMessage, WindowWish } from '../../src-main/contract/window/desktop.ts';

/** API that the desktop app's preload adds to the page. */
export interface Desktop {
  /** Brings this window to the front, also when it is minimised. */
  raise(): void;
  /** Opens another window on the same core. `id`: the key of its layout; `at`: its position on the screen. */
  newWindow(which?: { id: string; at?: { x: number; y: number } }): void;
  /** Listens for messages of the app to this page; called once. */
  onMessage(listen: (message: PageMessage) => void): void;
  /** Sends other requests of the page to the app. */
  tell(wish: WindowWish): void;
  /** The absolute path of a dropped file; '' if it is not on a disk. */
  pathOf(file: File): string;
}

/** Null in a browser, which has none of these functions. */
export function findDesktop(): Desktop | null {
  return (Reflect.get(globalThis, 'hansardDesktop') as Desktop | undefined) ?? null;
}

/** Brings the window to the front as far as its host allows: a browser raises the tab of a notification. */
export function raiseWindow(): void {
  window.focus();
  findDesktop()?.raise();
}
