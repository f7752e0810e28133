import type { WebContents } from 'electron';
import { isOwnUrl } from './windows/page.ts';

/** A navigation as Electron tells it; the three events share these fields. */
interface Navigation {
  readonly url: string;
  readonly isMainFrame: boolean;
  preventDefault(): void;
}

/** The page may load itself again, in its main frame. Everything else stays where it is. */
export function mayNavigate({ url, isMainFrame }: Pick<Navigation, 'url' | 'isMainFrame'>): boolean {
  return isMainFrame && isOwnUrl(url);
}

/**
 * Keeps a page, any page, where it is: no other address, no redirect, no frame, no web view, no second window.
 * `openOutside` gets the addresses that the page wanted a window for; it judges them.
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
