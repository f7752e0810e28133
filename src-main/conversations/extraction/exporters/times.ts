/** Largest time of a Date, ms from 1970 (ECMA-262). A damaged record may have a larger one. */
const MOST_MS = 8.64e15;

/** `14:05:09` in the zone. */
export function clockTime(ms: number, timeZone: string): string {
  return format(ms, { timeZone, timeStyle: 'medium' });
}

/** `21 November 2026`. */
export function dayOf(ms: number, timeZone: string): string {
  return format(ms, { timeZone, dateStyle: 'long' });
}

/** `21 November 2026, 14:05–15:30 UTC`; with both days if they differ. */
export function spanOf(fromMs: number, toMs: number, timeZone: string): string {
  const zone = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' });
  const name = zone.formatToParts(dateMs(fromMs)).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  const [fromDay, toDay] = [dayOf(fromMs, timeZone), dayOf(toMs, timeZone)];
  const [from, to] = [fromMs, toMs].map((ms) => format(ms, { timeZone, hour: '2-digit', minute: '2-digit' }));
  if (fromDay !== toDay) return `${fromDay}, ${from} – ${toDay}, ${to} ${name}`;
  return from === to ? `${fromDay}, ${from} ${name}` : `${fromDay}, ${from}–${to} ${name}`;
}

/** For programs: `2026-11-21T14:05:09.000Z`. */
export function isoTime(ms: number): string {
  return new Date(dateMs(ms)).toISOString();
}

function format(ms: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', options).format(dateMs(ms));
}

function dateMs(ms: number): number {
  return Math.abs(ms) <= MOST_MS ? ms : 0;
}
