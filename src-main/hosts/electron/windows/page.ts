/** The one page of the desktop window. Its scheme is registered inside this app only; the system does not know it. */
export const PAGE = {
  scheme: 'app',
  host: 'bundle',
  origin: 'app://bundle',
  url: 'app://bundle/index.html',
} as const;

/** The URL of the page in a window. `windowId` identifies the window's layout; `hash` is the place that it opens, '' for none. */
export function pageUrl(windowId: string, hash = ''): string {
  return `${PAGE.url}?window=${windowId}${hash}`;
}

/**
 * Whether `url` has our own page's origin. Compares scheme and host, because `URL.origin` is 'null' in Node for an unknown scheme. An invalid URL is
 * not ours.
 */
export function isOwnUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return protocol === `${PAGE.scheme}:` && host === PAGE.host && username === '' && password === '';
}

/** Channel of trpc-electron 0.1, on both sides of the bridge. */
export const BRIDGE_CHANNEL = 'trpc-electron';

/** The channel for requests of a page about its own window (`WindowWish`). It has no answers. */
export const WINDOW_CHANNEL = 'hansard-window';

/** The opposite direction: messages of the app to a page (`PageMessage`). */
export const PAGE_CHANNEL = 'hansard-page';
