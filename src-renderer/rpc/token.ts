import { isPlaceHash } from './placeHash.ts';

/** Key of the token in sessionStorage: it lives as long as the browser's tab, so a reload works and a new tab needs a new code (ADR 3). */
const KEY = 'hansard.token';
/** Key of a link that was opened before there was a token. */
const HASH_KEY = 'hansard.hash';

/**
 * The access token: from the one-time code after the `#` of the address, else the one kept from before a reload.
 * The code is removed from the address before it is used. Null without either; rejects if the host cannot be reached.
 */
export async function obtainToken(): Promise<string | null> {
  const code = location.hash.slice(1);
  if (!code || isPlaceHash(location.hash)) {
    const kept = keptIn().getItem(KEY);
    if (kept === null && code) sessionStorage.setItem(HASH_KEY, location.hash); // for later, when the person opens an address with a code in this tab
    return kept;
  }
  history.replaceState(null, '', location.pathname + location.search);
  const [ticket, ...place] = code.split('/');
  if (place.length > 0) sessionStorage.setItem(HASH_KEY, `#/${place.join('/')}`); // `hansard open LINK` puts the link after the code
  const response = await fetch('/api/exchange', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code: ticket }),
  });
  // The code was used before: the tab may still have the token from its exchange (back button, reload).
  if (!response.ok) return keptIn().getItem(KEY);
  const { token } = (await response.json()) as { token: string };
  keptIn().setItem(KEY, token);
  return token;
}

/** Each start of an installed app is a new tab, so it keeps the token until the host refuses it. */
function keptIn(): Storage {
  return matchMedia('(display-mode: standalone)').matches ? localStorage : sessionStorage;
}

/** An app installed from this tab gets its token at the first start. */
export function handTokenToApp(): void {
  addEventListener('appinstalled', () => {
    const token = sessionStorage.getItem(KEY);
    if (token !== null) localStorage.setItem(KEY, token);
  });
}

/** Returns, once, the link after the `#` that this tab could not show without a token. */
export function takeKeptHash(): string | null {
  const hash = sessionStorage.getItem(HASH_KEY);
  sessionStorage.removeItem(HASH_KEY);
  return hash;
}

export function forgetToken(): void {
  keptIn().removeItem(KEY);
}

/** Whether the host answers and refuses this token: the host was restarted, so waiting is useless. */
export async function isRefused(token: string): Promise<boolean> {
  try {
    const response = await fetch('/', { method: 'HEAD', headers: { Authorization: `Bearer ${token}` } });
    return response.status === 401;
  } catch {
    return false; // no answer: a lost connection, not a refusal
  }
}
