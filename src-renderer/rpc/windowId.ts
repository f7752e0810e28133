/** Key of the id, which survives a reload; a browser copies it into a tab opened from this one. */
const KEY = 'hansard.window';
/** Must match the core's pattern. */
const WINDOW_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** The page before a reload may still hold the id when this one requests it. */
const RELOAD_MS = 1000;

/**
 * The id of this window, which is the key of its layout in the core: the one in its address, else the one from before a reload, else a new one. A new
 * one also replaces an id of another open window (a duplicated tab). The lock is held until the window closes.
 */
export async function obtainWindowId(): Promise<string> {
  const asked = new URLSearchParams(location.search).get('window') ?? sessionStorage.getItem(KEY) ?? '';
  const id = WINDOW_ID.test(asked) && (await hold(asked)) ? asked : newWindowId();
  if (id !== asked) void hold(id);
  sessionStorage.setItem(KEY, id);
  // In a browser the address stays clean, so that it can be copied. The desktop app needs the id in it for a reload.
  if (location.protocol.startsWith('http') && location.search !== '')
    history.replaceState(null, '', location.pathname + location.hash);
  return id;
}

export function newWindowId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `w${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Whether no other window of this browser holds that id; this window holds it from then on. */
function hold(id: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  const [navigation] = performance.getEntriesByType('navigation');
  const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
  const options = isReload ? { signal: AbortSignal.timeout(RELOAD_MS) } : { ifAvailable: true };
  return new Promise((resolve) => {
    navigator.locks
      .request(`hansard.window.${id}`, options, (lock) => {
        resolve(lock !== null);
        return lock ? new Promise(() => undefined) : undefined;
      })
      .catch(() => resolve(false));
  });
}
