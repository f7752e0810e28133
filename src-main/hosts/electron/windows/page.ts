/** The one page of the desktop window. Its scheme is registered inside this app only; the system does not know it. */
export const PAGE = {
  scheme: 'app',
  host: 'bundle',
  origin: 'app://bundle',
  url: 'app://bundle/index.html',
} as const;

/** The page as a window shows it. `windowId` names the window's own layout; `hash` names the place that it opens, '' for none. */
export function pageUrl(windowId: string, hash = ''): string {
  return `${PAGE.url}?window=${windowId}${hash}`;
}

/**
 * Whether `url` lies on our own page's origin. Scheme and host are compared, since `URL.origin` is 'null' in Node for a
 * scheme that it does not know. What does not parse is not ours.
 */
export function isOwnUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return protocol === `${PAGE.scheme}:` && host === PAGE.host && username === '' && password === '';
}

/** Channel of trpc-electron 0.1, on both sides of the bridge. */
export const BRIDGE_CHANNEL = 'trpc-electron';

/** The channel beside the API's: what a page wants of its own window (`WindowWish`). Nothing comes back on it. */
export const WINDOW_CHANNEL = 'hansard-window';

/** The other way: what the app asks of a page (`PageMessage`). */
export const PAGE_CHANNEL = 'hansard-page';
