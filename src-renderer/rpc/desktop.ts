import type { PageMessage, WindowWish } from '../../src-main/contract/window/desktop.ts';

/** What the desktop app's preload adds to the page. */
export interface Desktop {
  /** Brings this window to the front, also when it is minimised. */
  raise(): void;
  /** Opens one more window on the same core. `id`: under which its layout is known; `at`: where on the screen. */
  newWindow(which?: { id: string; at?: { x: number; y: number } }): void;
  /** Listens for messages of the app to this page; called once. */
  onMessage(listen: (message: PageMessage) => void): void;
  /** What the page asks of the app besides. */
  tell(wish: WindowWish): void;
  /** The absolute path of a file that was dropped; '' for one that is on no disk. */
  pathOf(file: File): string;
}

/** Null in a browser, which can do none of this. */
export function findDesktop(): Desktop | null {
  return (Reflect.get(globalThis, 'hansardDesktop') as Desktop | undefined) ?? null;
}

/** Brings the window to the front as far as its host lets it: a browser raises the tab that a notification belongs to. */
export function raiseWindow(): void {
  window.focus();
  findDesktop()?.raise();
}
