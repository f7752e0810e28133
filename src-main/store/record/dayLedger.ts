import { join } from 'node:path';
import { z } from 'zod';
import { readAsIs } from '../files/readAsIs.ts';
import { readJsonFile, replaceFile } from '../files/replaceFile.ts';
import { trashItems } from './trash.ts';

/** A date counts after the core has run this long since the last counted day, so that clock changes create no days. */
export const DAY_NEEDS_MS = 60 * 60 * 1000;
/** Dates to remember, so that a clock that jumps back and forth counts each date once. */
const MAX_DATES = 400;

/**
 * days.json: measures all ages in counted days, which are dates on which the core ran for an hour. No age depends on the
 * wall clock: a terminal counts as used on the counted day on which a change of its newest file was noticed.
 */
export const DayLedger = z.object({
  version: z.literal(1).default(1),
  /** Days counted so far. */
  day: z.number().int().min(0).default(0),
  /** The newest dates that counted. */
  dates: z.array(z.string()).default([]),
  /** How long the core has run since the last counted day. */
  ranMs: z.number().min(0).default(0),
  /** The counted day of the last automatic removal. */
  removedDay: z.number().int().nullable().default(null),
  /** The counted day on which the person was warned that the record is over its size; null while it is not. */
  warnedDay: z.number().int().nullable().default(null),
  /** Per terminal: its newest change, which is only compared for equality, and the counted day on which it was first seen. */
  used: z.record(z.string(), z.object({ changedMs: z.number(), day: z.number().int() })).default({}),
});
export type DayLedger = z.infer<typeof DayLedger>;

export function ledgerPath(dataFolder: string): string {
  return join(dataFolder, 'days.json');
}

/** Adds the core's running time. The first date of a new ledger is day 0. */
export function countRun(ledger: DayLedger, run: { ranMs: number; nowMs: number }): DayLedger {
  const date = new Date(run.nowMs).toISOString().split('T')[0] ?? '';
  if (ledger.dates.length === 0) return { ...ledger, dates: [date], ranMs: ledger.ranMs + run.ranMs };
  const ranMs = ledger.ranMs + run.ranMs;
  if (ledger.dates.includes(date) || ranMs < DAY_NEEDS_MS) return { ...ledger, ranMs };
  return { ...ledger, day: ledger.day + 1, dates: [...ledger.dates, date].slice(-MAX_DATES), ranMs: 0 };
}

interface Seen {
  readonly id: string;
  readonly lastUsedMs: number;
  readonly isOpen: boolean;
}

/** Notes which terminals were used since the last call; drops deleted terminals. */
export function noteUse(ledger: DayLedger, entries: readonly Seen[]): DayLedger {
  const used: DayLedger['used'] = {};
  for (const { id, lastUsedMs: changedMs, isOpen } of entries) {
    const before = ledger.used[id];
    used[id] = before && !isOpen && before.changedMs === changedMs ? before : { changedMs, day: ledger.day };
  }
  return { ...ledger, used };
}

/** Counted days since the terminal was used; 0 if it has changed since the ledger last saw it. */
export function unusedDays(ledger: DayLedger, { id, lastUsedMs }: Pick<Seen, 'id' | 'lastUsedMs'>): number {
  const used = ledger.used[id];
  return used?.changedMs === lastUsedMs ? Math.max(0, ledger.day - used.day) : 0;
}

/** Only for the owner of the data folder: puts an unusable ledger aside; every age then restarts at 0. */
export async function openLedger(dataFolder: string): Promise<DayLedger> {
  const read = await readJsonFile(ledgerPath(dataFolder), DayLedger);
  return withTrash(dataFolder, read.status === 'ok' ? read.value : DayLedger.parse({}));
}

/** Reads the ledger without changing anything. */
export async function readLedger(dataFolder: string): Promise<DayLedger> {
  return withTrash(dataFolder, (await readAsIs(ledgerPath(dataFolder), DayLedger)) ?? DayLedger.parse({}));
}

export function saveLedger(dataFolder: string, ledger: DayLedger): Promise<void> {
  return replaceFile(ledgerPath(dataFolder), `${JSON.stringify(ledger)}\n`);
}

/** A lost ledger restarts at the newest day in the trash; otherwise the trash would never be emptied. */
function withTrash(dataFolder: string, ledger: DayLedger): DayLedger {
  return { ...ledger, day: Math.max(ledger.day, ...trashItems(dataFolder).map(({ day }) => day)) };
}
