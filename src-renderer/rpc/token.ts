import { isPlaceHash } from './placeHash.ts';

/** Where the token is kept: it lives as long as the browser's tab, so a reload works and a new tab needs a new code. */
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
    const kept = sessionStorage.getItem(KEY);
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
  if (!response.ok) return sessionStorage.getItem(KEY);
  const { token } = (await response.json()) as { token: string };
  sessionStorage.setItem(KEY, token);
  return token;
}

/** The place behind the `#` that this tab could not show for want of a token; once. */
export function takeKeptHash(): string | null {
  const hash = sessionStorage.getItem(HASH_KEY);
  sessionStorage.removeItem(HASH_KEY);
  return hash;
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
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
