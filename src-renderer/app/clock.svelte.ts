import type { Settings } from '../../src-main/contract/settings.ts';
import { onFirstUse } from '../../src-main/shared/onFirstUse.ts';
import { clock as words } from './strings/clock.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Created at first use, because loading the language's rules takes longer than anything else at the start of the window. */
const dayFormat = onFirstUse(
  () => new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' }),
);
const yearFormat = onFirstUse(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }),
);
/** According to the language and region of the browser or the desktop app. */
const systemHasTwelveHours = onFirstUse(
  () => new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hour12 === true,
);

/** Global, so that every shown time follows a change of the setting at once. */
let shownClock = $state<Settings['window.clock']>('24');

/** Sets the clock for all times of this window. */
export function showClock(clock: Settings['window.clock']): void {
  shownClock = clock;
}

/** How far the core's wall clock is ahead of this device's: a phone or another machine may be minutes off. */
let coreAheadMs = 0;

/** Call with each answer that has the core's time. */
export function meetCoreClock(coreMs: number | undefined): void {
  if (coreMs !== undefined) coreAheadMs = coreMs - Date.now();
}

/** Now by the core's clock, which all times of the record are of. */
export function coreNowMs(): number {
  return Date.now() + coreAheadMs;
}

/** The core's time, read again every `tickMs` while the component that calls it is shown. */
export function ticking(tickMs: number): { readonly ms: number } {
  let ms = $state(coreNowMs());
  $effect(() => {
    const timer = setInterval(() => {
      ms = coreNowMs();
    }, tickMs);
    return () => clearInterval(timer);
  });
  return {
    get ms() {
      return ms;
    },
  };
}

function hasTwelveHours(): boolean {
  return shownClock === 'system' ? systemHasTwelveHours() : shownClock === '12';
}

/** Local time of day, `14:05` or `2:05 PM`. */
export function formatTimeOfDay(atMs: number, { withSeconds = false } = {}): string {
  const at = new Date(atMs);
  const rest = [at.getMinutes(), ...(withSeconds ? [at.getSeconds()] : [])].map(twoDigits).join(':');
  const hour = at.getHours();
  if (!hasTwelveHours()) return `${twoDigits(hour)}:${rest}`;
  return (hour < 12 ? words.am : words.pm)(`${hour % 12 || 12}:${rest}`);
}

/** Local time of day, with the day unless it is today, and the year unless it is this year. */
export function formatClock(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const now = new Date(nowMs);
  const time = formatTimeOfDay(atMs);
  if (at.toDateString() === now.toDateString()) return time;
  return at.getFullYear() === now.getFullYear() ? `${dayOf(at)} ${time}` : `${dayOf(at)} ${at.getFullYear()} ${time}`;
}

/** Day, year and time to the second, for a tip: `3 Mar 2026 14:05:09`. */
export function formatFullTime(atMs: number): string {
  const at = new Date(atMs);
  return `${dayOf(at)} ${at.getFullYear()} ${formatTimeOfDay(atMs, { withSeconds: true })}`;
}

/** `Today`, `Yesterday`, `Monday 3 March`, with the year unless it is this year. */
export function formatDay(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const now = new Date(nowMs);
  if (at.toDateString() === now.toDateString()) return words.today;
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (at.toDateString() === yesterday.toDateString()) return words.yesterday;
  return (at.getFullYear() === now.getFullYear() ? dayFormat() : yearFormat()).format(at);
}

function dayOf(at: Date): string {
  return `${at.getDate()} ${MONTHS[at.getMonth()]}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
