import { forgetSnapshots } from '../changes/forgetSnapshots.ts';
import type { Notices } from '../notices/Notices.ts';
import { livingWriter } from '../store/instance/writerMark.ts';
import { countRun, type DayLedger, noteUse, openLedger, saveLedger, unusedDays } from '../store/record/dayLedger.ts';
import {
  type PruneReport,
  planRetention,
  prune,
  type RetentionEntry,
  type RetentionLimits,
  type RetentionPlan,
  type RetentionSettings,
  retentionOf,
  surveyRecord,
  titleOf,
} from '../store/record/retention.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import {
  type EmptyReport,
  emptyTrash,
  type RestoreReport,
  restoreFromTrash,
  TRASH_DAYS,
} from '../store/record/trash.ts';
import type { Clock } from '../util/Clock.ts';
import type { Log } from '../util/Log.ts';

/** Counted days between the warning that the record is over its size and the first removal for it. */
const WARNING_DAYS = 3;
/** Titles that a notice names. */
const NAMED = 3;

export interface PruningDeps {
  dataFolder: string;
  clock: Clock;
  log: Log;
  notices: Notices;
  limits: () => RetentionLimits;
  /** Terminals that are in a tab, or still being closed. */
  openIds: () => ReadonlySet<string>;
  /** Terminals left the record, or came back. */
  onRemoved?: () => void;
}

/** The terminals moved to the trash, with the titles that the person knows. */
export interface TidyReport extends PruneReport {
  titles: Readonly<Record<string, string>>;
  /** Number of terminals beyond the limits that a later run removes. */
  waiting: number;
}

/** Keeps the record within its limits, by counted days. The caller must run one method at a time. */
export class Pruning {
  readonly #deps: PruningDeps;
  #ledger: DayLedger | null = null;
  #countedMs: number;

  constructor(deps: PruningDeps) {
    this.#deps = deps;
    this.#countedMs = deps.clock.monotonicMs();
  }

  /** Counts the core's running time since the last call. Resolves with the counted day. */
  async count(): Promise<number> {
    const { clock, dataFolder } = this.#deps;
    const nowMs = clock.monotonicMs();
    const ledger = countRun(this.#ledger ?? (await openLedger(dataFolder)), {
      ranMs: nowMs - this.#countedMs,
      nowMs: clock.nowMs(),
    });
    this.#countedMs = nowMs;
    await this.#save(ledger);
    return ledger.day;
  }

  /** The same at the end of the process; does nothing if nothing was counted yet. */
  async countLast(): Promise<void> {
    if (this.#ledger) await this.count();
  }

  /** Runs once per counted day: warns before the size limit applies, removes terminals beyond the limits, and empties old trash. */
  async runDaily(): Promise<void> {
    const { dataFolder, openIds, limits } = this.#deps;
    const ledger = await this.#open();
    if (ledger.removedDay === ledger.day) return;
    const entries = await surveyRecord(dataFolder, openIds());
    const now = noteUse({ ...ledger, removedDay: ledger.day }, entries);
    const settings = retentionOf(limits());
    const warnedDay = needsRoom(entries, settings, now) ? (now.warnedDay ?? now.day) : null;
    await this.#save({ ...now, warnedDay }); // save first: an interrupted run must not be repeated on the same day
    if (warnedDay === null) this.#deps.notices.clear('retention-size', this.#deps.clock.nowMs());
    else this.#warn(entries, settings, warnedDay + WARNING_DAYS - now.day);
    await this.empty(({ day }) => now.day - day > TRASH_DAYS);
    const isWarned = warnedDay !== null && now.day - warnedDay >= WARNING_DAYS;
    await this.#remove(entries, isWarned ? settings : { ...settings, maxBytes: Number.POSITIVE_INFINITY }, false);
  }

  /** Removes the terminals beyond `limits` now. `isAsked`: the person has confirmed the list, so the 5 % limit does not apply. */
  async tidy(limits: RetentionLimits, isAsked: boolean): Promise<TidyReport> {
    const entries = await surveyRecord(this.#deps.dataFolder, this.#deps.openIds());
    await this.#save(noteUse(await this.#open(), entries));
    return this.#remove(entries, retentionOf(limits), isAsked);
  }

  /** Brings terminals back from the trash: `id`, or all. They count as used today. */
  async restore(id: string | null): Promise<RestoreReport> {
    const { dataFolder, log, openIds } = this.#deps;
    const report = await restoreFromTrash(dataFolder, (item) => id === null || item.id === id);
    for (const terminalId of report.restored) log('terminal_restored', { terminalId });
    for (const failure of report.failed)
      log('terminal_not_restored', { terminalId: failure.id, reason: failure.reason });
    if (report.restored.length > 0) {
      const ledger = await this.#open();
      const others = Object.entries(ledger.used).filter(([known]) => !report.restored.includes(known));
      const used = Object.fromEntries(others);
      await this.#save(noteUse({ ...ledger, used }, await surveyRecord(dataFolder, openIds())));
      this.#deps.onRemoved?.();
    }
    return report;
  }

  /** Permanently deletes the `wanted` terminals of the trash. */
  async empty(wanted: Parameters<typeof emptyTrash>[1]): Promise<EmptyReport> {
    const report = await emptyTrash(this.#deps.dataFolder, wanted, ({ path }) => forgetSnapshots(path));
    for (const terminalId of report.emptied) this.#deps.log('terminal_deleted', { terminalId });
    for (const { id, reason } of report.failed) this.#deps.log('terminal_not_deleted', { terminalId: id, reason });
    return report;
  }

  async #remove(
    entries: readonly RetentionEntry[],
    settings: RetentionSettings,
    isAsked: boolean,
  ): Promise<TidyReport> {
    const { dataFolder, log } = this.#deps;
    const { day } = await this.#open();
    const { removals, waiting } = this.#plan(entries, settings, isAsked);
    const titles: Record<string, string> = {};
    for (const { id } of removals) titles[id] = await titleOf(new SessionFolder(dataFolder, id));
    const report = await prune(dataFolder, { removals, day }, (id) => this.isWritten(id));
    for (const { id, bytes, why } of report.removed)
      log('terminal_removed', { terminalId: id, title: titles[id], bytes, why });
    for (const { id, reason } of report.failed) log('terminal_not_removed', { terminalId: id, reason });
    if (report.removed.length > 0) {
      this.#deps.onRemoved?.();
      this.#tell(report, titles);
    }
    return { ...report, titles, waiting };
  }

  isWritten(id: string): boolean {
    return this.#deps.openIds().has(id) || livingWriter(new SessionFolder(this.#deps.dataFolder, id)) !== null;
  }

  #plan(entries: readonly RetentionEntry[], settings: RetentionSettings, isAsked: boolean): RetentionPlan {
    const ledger = this.#ledger;
    const daysOf = (entry: RetentionEntry): number => (ledger ? unusedDays(ledger, entry) : 0);
    return planRetention(entries, settings, { unusedDays: daysOf, isAsked });
  }

  async #open(): Promise<DayLedger> {
    this.#ledger ??= await openLedger(this.#deps.dataFolder);
    return this.#ledger;
  }

  /** If the disk refuses the ledger, days are lost at the next start and terminals count as younger, so none is removed too early. */
  async #save(ledger: DayLedger): Promise<void> {
    this.#ledger = ledger;
    await saveLedger(this.#deps.dataFolder, ledger).catch((error: unknown) =>
      this.#deps.log('days_not_saved', { reason: error instanceof Error ? error.message : String(error) }),
    );
  }

  #warn(entries: readonly RetentionEntry[], settings: RetentionSettings, daysLeft: number): void {
    const { notices, clock } = this.#deps;
    const when = daysLeft > 0 ? `After ${days(daysLeft)} of use` : 'On each day of use';
    notices.raise({
      key: 'retention-size',
      level: 'warning',
      text: `The record takes ${gib(sumOf(entries))}, more than its limit of ${gib(settings.maxBytes)}. ${when}, Hansard moves the longest unused closed terminals to the trash, a few at a time.`,
      action:
        'Raise `retention.bytes` in settings.json (0: no limit), or bookmark or export what must stay. `hansard prune --dry-run` lists what would go.',
      terminalId: null,
      atMs: clock.nowMs(),
    });
  }

  #tell({ removed }: PruneReport, titles: Readonly<Record<string, string>>): void {
    const { notices, clock } = this.#deps;
    const named = removed.slice(0, NAMED).map(({ id }) => titles[id] ?? id);
    const more = removed.length > NAMED ? ` and ${removed.length - NAMED} more` : '';
    const size = (sumOf(removed) / 1e6).toFixed(1);
    const terminals = removed.length === 1 ? '1 closed terminal' : `${removed.length} closed terminals`;
    notices.raise({
      key: 'retention',
      level: 'info',
      text: `${terminals} moved to the trash, to keep the record within its limits (${size} MB): ${named.join(', ')}${more}.`,
      action: `\`hansard prune --restore\` brings them back within ${TRASH_DAYS} days of use. Change the limits in the settings.`,
      terminalId: null,
      atMs: clock.nowMs(),
    });
  }
}

/** Whether the record is over its size limit and something can be removed. */
function needsRoom(entries: readonly RetentionEntry[], settings: RetentionSettings, ledger: DayLedger): boolean {
  const { removals } = planRetention(
    entries,
    { ...settings, maxUnusedDays: Number.POSITIVE_INFINITY },
    { unusedDays: (entry) => unusedDays(ledger, entry), isAsked: false },
  );
  return removals.length > 0;
}

function sumOf(some: readonly { bytes: number }[]): number {
  return some.reduce((sum, { bytes }) => sum + bytes, 0);
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

function gib(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}
