import type { WebContents } from 'electron';
import { isOwnUrl } from './windows/page.ts';

/** A navigation in Electron's form; the three events share these fields. */
interface Navigation {
  readonly url: string;
  readonly isMainFrame: boolean;
  preventDefault(): void;
}

/** The page may reload itself in its main frame. Every other navigation is blocked. */
export function mayNavigate({ url, isMainFrame }: Pick<Navigation, 'url' | 'isMainFrame'>): boolean {
  return isMainFrame && isOwnUrl(url);
}

/**
 * Blocks any page from leaving: no other address, redirect, frame, web view or second window. `openOutside` receives the addresses for which the page
 * wanted a window, and judges them.
 */
export function guardContents(
  contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>,
  openOutside: (url: string) => void,
): void {
  const check = (navigation: Navigation): void => {
    if (!mayNavigate(navigation)) navigation.preventDefault();
  };
  contents.on('will-navigate', check);
  contents.on('will-frame-navigate', check);
  contents.on('will-redirect', (redirect) => redirect.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: 'deny' };
  });
}
