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

/** Loads them again: Vite does not, so a second try would draw a part without its styles. Rejects if one fails again. */
export async function loadFailedStyles(): Promise<void> {
  await Promise.all([...failed].map(loadAgain));
}

function loadAgain(link: HTMLLinkElement): Promise<unknown> {
  failed.delete(link);
  const again = document.createElement('link');
  Object.assign(again, { rel: link.rel, crossOrigin: link.crossOrigin, href: link.href });
  return new Promise((resolve, reject) => {
    again.onload = resolve;
    again.onerror = () => reject(new Error(strings.app.notReceived(link.href)));
    link.replaceWith(again);
  });
}
