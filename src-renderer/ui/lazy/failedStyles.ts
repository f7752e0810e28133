import { strings } from '../../app/strings.ts';

/** Style sheets that the browser could not load. */
const failed = new Set<HTMLLinkElement>();

/** Notes which style sheets of lazily loaded parts fail. */
export function watchStyles(): void {
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target);
  };
  document.head.addEventListener('error', onError, { capture: true });
}

/**
 * Returns `load` with a retry for style sheets: it loads the failed ones again first, because Vite does not, so a second try would draw the part
 * without its styles. It rejects if one fails again that `load` had added to the page, not for one of another part.
 */
export function withStyles<T>(load: () => Promise<T>): () => Promise<T> {
  const own = new Set<string>();
  return async () => {
    const again = [...failed].map(loadAgain);
    await Promise.allSettled(again.map(({ loaded }) => loaded));
    await Promise.all(again.filter(({ href }) => own.has(href)).map(({ loaded }) => loaded));
    const before = styleHrefs();
    const loading = load();
    for (const href of styleHrefs()) if (!before.includes(href)) own.add(href);
    return loading;
  };
}

/** How Chromium, Firefox, Safari and Vite begin their sentences about a file that did not arrive. */
const MISSING = /dynamically imported module|^Importing a module|^Unable to preload/;

/** Says that a part of the window was not loaded, and why, without those sentences, which have an address. */
export function notLoaded(title: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return strings.app.notLoaded(title, MISSING.test(reason) ? strings.app.notReceived : reason);
}

function styleHrefs(): string[] {
  return [...document.head.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(({ href }) => href);
}

function loadAgain(link: HTMLLinkElement): { href: string; loaded: Promise<unknown> } {
  failed.delete(link);
  const again = document.createElement('link');
  const { rel, crossOrigin, href } = link;
  Object.assign(again, { rel, crossOrigin, href });
  const loaded = new Promise((resolve, reject) => {
    again.onload = resolve;
    again.onerror = () => reject(new Error(strings.app.notReceived));
    link.replaceWith(again);
  });
  return { href, loaded };
}
