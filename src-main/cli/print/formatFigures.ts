const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `12ms`, `1.2s`, `3m04s`, `2h05m`, `3d04h`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND_MS) return `${Math.round(ms)}ms`;
  if (ms < MINUTE_MS) return `${(Math.floor(ms / 100) / 10).toFixed(1)}s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m${two((ms % MINUTE_MS) / SECOND_MS)}s`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)}h${two((ms % HOUR_MS) / MINUTE_MS)}m`;
  return `${Math.floor(ms / DAY_MS)}d${two((ms % DAY_MS) / HOUR_MS)}h`;
}

/** `2026-01-31 18:05:09` in the local time zone. */
export function formatTime(ms: number): string {
  const at = new Date(ms);
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `512 bytes`, `1.5 KiB`, `10 GiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 10 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** `1 line`, `2 lines`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

function two(n: number): string {
  return String(Math.floor(n)).padStart(2, '0');
}
