import { z } from 'zod';

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const AGO = /^(\d{1,6}) ?([smhd])$/;

/** A time: ms since 1970, how long ago (`90s`, `15m`, `2h`, `1d`), or an ISO date. `sinceMs` parses it. */
export const SinceWhen = z
  .union([
    z.number().nonnegative(),
    z
      .string()
      .max(40)
      .refine(
        (text) => readTime(text, 0) !== null,
        'a time is ms since 1970, how long ago ("15m", "2h") or an ISO date',
      ),
  ])
  .describe('"2h" (ago), ISO date or ms');

export function sinceMs(when: z.infer<typeof SinceWhen> | undefined, nowMs: number): number | undefined {
  return typeof when === 'string' ? (readTime(when, nowMs) ?? undefined) : when;
}

function readTime(text: string, nowMs: number): number | null {
  const [, count, unit = ''] = AGO.exec(text.trim()) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (UNITS_MS[unit] ?? 0);
  const ms = /^\d{4}-\d\d-\d\d/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
