import { InvalidArgumentError } from 'commander';

export type Moment = { atSeq: number } | { atMs: number };

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const AGO = /^-?(\d{1,6})([smhd])$/;
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
/** Only ISO dates; Date would guess at other text. */
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Parses a moment: a number is a `seq`; `90s`, `5m`, `2h`, `1d` count back from now; `14:03[:20]` is the last time of day like this; and ISO dates.
 * Throws commander's error for anything else.
 */
export function parseMoment(text: string, nowMs: number): Moment {
  if (/^\d{1,15}$/.test(text)) return { atSeq: Number(text) };
  const [, count, unit = ''] = AGO.exec(text) ?? [];
  if (count !== undefined) return { atMs: nowMs - Number(count) * (UNIT_MS[unit] ?? 0) };
  const clock = CLOCK.exec(text);
  if (clock) return { atMs: lastTime(clock, nowMs) };
  const atMs = ISO.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(atMs))
    throw new InvalidArgumentError(
      'a seq (412), a time ago (90s, 5m, 2h, 1d), a time of day (14:03, 14:03:20) or a date (2026-01-31T14:03).',
    );
  return { atMs };
}

/** Without seconds it means the end of that minute. */
function lastTime([, hours, minutes, seconds]: RegExpExecArray, nowMs: number): number {
  const at = new Date(nowMs);
  at.setHours(Number(hours), Number(minutes), Number(seconds ?? 59), 999);
  const start = new Date(at);
  start.setSeconds(Number(seconds ?? 0), 0);
  if (start.getTime() > nowMs) at.setDate(at.getDate() - 1);
  return at.getTime();
}
