const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** About two significant figures: `18 ms`, `4.1 s`, `42 s`, `6 m 12 s`, `2 h 14 m`, `3 d 4 h`. Negative (after a clock change) counts as 0. */
export function formatDuration(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  if (ms < SECOND_MS) return `${Math.round(ms) === SECOND_MS ? 999 : Math.round(ms)} ms`;
  // 9.95 s would round to "10.0 s", one digit more than other durations.
  if (ms < 9950) return `${(ms / SECOND_MS).toFixed(1)} s`;
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} m ${Math.floor((ms % MINUTE_MS) / SECOND_MS)} s`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ${Math.floor((ms % HOUR_MS) / MINUTE_MS)} m`;
  return `${Math.floor(ms / DAY_MS)} d ${Math.floor((ms % DAY_MS) / HOUR_MS)} h`;
}

/** A growing duration: whole seconds, so that the last digit does not flicker. */
export function formatTicking(durationMs: number): string {
  return durationMs < MINUTE_MS ? `${Math.floor(Math.max(0, durationMs) / SECOND_MS)} s` : formatDuration(durationMs);
}

/** Longest path that fits beside a command. */
const MAX_PATH_CHARS = 40;

/** `path` with the home folder as `~`; a long path keeps its root and as many of its last folders as fit. */
export function formatPath(path: string, home: string, maxChars = MAX_PATH_CHARS): string {
  const isHome = home !== '' && (path === home || path.startsWith(`${home}/`));
  const short = isHome ? `~${path.slice(home.length)}` : path;
  if (short.length <= maxChars) return short;
  const parts = short.split('/');
  const root = isHome ? '~' : '';
  const kept: string[] = [];
  let length = root.length + 2;
  for (const part of parts.slice(1).reverse()) {
    if (kept.length > 0 && length + part.length + 1 > maxChars) break;
    kept.unshift(part);
    length += part.length + 1;
  }
  const last = `${root}/…/${kept.join('/')}`;
  return last.length <= maxChars ? last : `…${short.slice(short.length - maxChars + 1)}`;
}

/** 1284 → `1,284`. The same in every locale, because it appears beside command output. */
export function formatCount(count: number): string {
  // The first use of a locale adds some 20 ms to the window's start.
  return Math.abs(count) < 1_000 && Number.isInteger(count) ? `${count}` : count.toLocaleString('en-US');
}

const UNITS = ['KB', 'MB', 'GB', 'TB'];

/** Units are powers of 1,000, as disk vendors and `ls --si` use them. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let value = bytes;
  let unit = '';
  for (const next of UNITS) {
    if (value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
