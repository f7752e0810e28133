import { isPlaceHash } from './placeHash.ts';

/** Where the token is kept: it lives as long as the browser's tab, so a reload works and a new tab needs a new code (ADR 3). */
const KEY = 'hansard.token';
/** A place that was asked for before there was a token. */
const HASH_KEY = 'hansard.hash';

/**
 * The access token: from the one-time code behind the `#` of the address, else the one kept from before a reload.
 * The code is taken out of the address before it is used. Null when there is neither; rejects when the host cannot be reached.
 */
export async function obtainToken(): Promise<string | null> {
  const code = location.hash.slice(1);
  if (!code || isPlaceHash(location.hash)) {
    const kept = keptIn().getItem(KEY);
    if (kept === null && code) sessionStorage.setItem(HASH_KEY, location.hash); // for when the person opens a link with a code here
    return kept;
  }
  history.replaceState(null, '', location.pathname + location.search);
  const [ticket, ...place] = code.split('/');
  if (place.length > 0) sessionStorage.setItem(HASH_KEY, `#/${place.join('/')}`); // `hansard open LINK` puts it behind the code
  const response = await fetch('/api/exchange', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code: ticket }),
  });
  // A code that was used before: the tab may still hold the token that it was exchanged for (back button, reload).
  if (!response.ok) return keptIn().getItem(KEY);
  const { token } = (await response.json()) as { token: string };
  keptIn().setItem(KEY, token);
  return token;
}

/** Each start of an installed app is a new tab, so it keeps the token until that is refused. */
function keptIn(): Storage {
  return matchMedia('(display-mode: standalone)').matches ? localStorage : sessionStorage;
}

/** An app that is installed from this tab has its token from the first start on. */
export function handTokenToApp(): void {
  addEventListener('appinstalled', () => {
    const token = sessionStorage.getItem(KEY);
    if (token !== null) localStorage.setItem(KEY, token);
  });
}

/** The place behind the `#` that this tab could not show for want of a token; once. */
export function takeKeptHash(): string | null {
  const hash = sessionStorage.getItem(HASH_KEY);
  sessionStorage.removeItem(HASH_KEY);
  return hash;
}

export function forgetToken(): void {
  keptIn().removeItem(KEY);
}

/** Whether the host answers and refuses this token: then it was started anew, and waiting is no use. */
export async function isRefused(token: string): Promise<boolean> {
  try {
    const response = await fetch('/', { method: 'HEAD', headers: { Authorization: `Bearer ${token}` } });
    return response.status === 401;
  } catch {
    return false; // nobody answers: that is a lost connection, not a refusal
  }
}
