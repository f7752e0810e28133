import { type RestReport, restTerminal } from '../store/atRest/restTerminal.ts';
import {
  type PruneReport,
  planRetention,
  prune,
  type RetentionEntry,
  type RetentionLimits,
  retentionOf,
  surveyRecord,
  titleOf,
} from '../store/retention.ts';
import { SessionFolder } from '../store/SessionFolder.ts';
import { livingWriter, wasAbandoned } from '../store/writerMark.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import type { Log } from '../util/Log.ts';
import type { Notices } from './Notices.ts';
import { QuietPace } from './QuietPace.ts';

/** The restored tabs have their prompts by then. */
const FIRST_AFTER_MS = 30_000;
const EVERY_MS = 24 * 60 * 60 * 1000;
/** A timer of a day stands still while the machine sleeps; a look each hour at the time of day does not. */
const LOOK_EVERY_MS = 60 * 60 * 1000;
/** A terminal that was just closed may be opened again; its files are small then as a rule, and the disk has room for a day. */
const REST_AFTER_MS = 60 * 60 * 1000;
/** Titles that a notice names. */
const NAMED = 3;

export interface HousekeepingDeps {
  dataFolder: string;
  clock: Clock;
  log: Log;
  notices: Notices;
  limits: () => RetentionLimits;
  /** Terminals that are in a tab, or still being closed. */
  openIds: () => ReadonlySet<string>;
  /** All output so far, of all terminals. */
  outputBytes: () => number;
  /** Terminals were removed from the record. */
  onRemoved?: () => void;
}

/** What was removed, with the titles by which a person knows it. */
export interface TidyReport extends PruneReport {
  titles: Readonly<Record<string, string>>;
}

/**
 * Keeps the record within its limits and compresses what nobody writes, in the background: soon after the start, then daily.
 * Only the process that holds the data folder's lock may run it. The owner stops it.
 */
export class Housekeeping {
  readonly #deps: HousekeepingDeps;
  readonly #stopping = new AbortController();
  #lastRunMs = Number.NEGATIVE_INFINITY;
  #timer: IDisposable | null = null;
  #tidying: Promise<unknown> = Promise.resolve();
  /** The terminal that is being compressed. */
  #resting: { id: string; stop: AbortController; done: Promise<unknown> } | null = null;
  /** Everything that was begun, one after the other. */
  #working: Promise<unknown> = Promise.resolve();

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#lookAfter(FIRST_AFTER_MS);
  }

  /** Removes what is beyond the limits, now. */
  tidy(limits: RetentionLimits = this.#deps.limits()): Promise<TidyReport> {
    this.#tidying = this.#next(() => this.#tidy(limits));
    return this.#tidying as Promise<TidyReport>;
  }

  /** Compresses every terminal that nobody writes, slowly. Resolves when all are done, or it was stopped. */
  compress(): Promise<RestReport> {
    return this.#next(() => this.#compress());
  }

  /** The same, for who does not wait for it. */
  compressSoon(): void {
    this.compress().catch((error: unknown) =>
      this.#deps.log('housekeeping_failed', { reason: error instanceof Error ? error.message : String(error) }),
    );
  }

  /** To be called with a terminal that is in a tab since, before it is read or written: resolves when nothing is done to its files. */
  async leave(id: string): Promise<void> {
    await this.#tidying.catch(() => undefined); // whoever asked was told
    if (this.#resting?.id !== id) return;
    this.#resting.stop.abort();
    await this.#resting.done;
  }

  /** Resolves when nothing is being done any more; what was begun is given up and left whole. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer?.dispose();
    await this.#working.catch(() => undefined); // whoever asked was told
  }

  #lookAfter(ms: number): void {
    this.#timer = this.#deps.clock.after(ms, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { clock, log } = this.#deps;
    this.#lookAfter(LOOK_EVERY_MS);
    if (clock.nowMs() - this.#lastRunMs < EVERY_MS) return;
    this.#lastRunMs = clock.nowMs();
    try {
      await this.tidy();
      await this.compress();
    } catch (error) {
      log('housekeeping_failed', { reason: error instanceof Error ? error.message : String(error) });
    }
  }

  /** One at a time: two would look at the same folders. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#working.catch(() => undefined).then(work); // whoever asked for the one before was told
    this.#working = own;
    return own;
  }

  async #tidy(limits: RetentionLimits): Promise<TidyReport> {
    const { dataFolder, clock, log, openIds } = this.#deps;
    const plan = planRetention(await surveyRecord(dataFolder, openIds()), retentionOf(limits), clock.nowMs());
    const titles: Record<string, string> = {};
    for (const { id } of plan) titles[id] = await titleOf(new SessionFolder(dataFolder, id));
    const report = await prune(dataFolder, plan, (id) => this.#isWritten(id));
    for (const { id, bytes, why } of report.removed)
      log('terminal_removed', { terminalId: id, title: titles[id], bytes, why });
    for (const { id, reason } of report.failed) log('terminal_not_removed', { terminalId: id, reason });
    if (report.removed.length > 0) {
      this.#deps.onRemoved?.();
      this.#tell(report, titles);
    }
    return { ...report, titles };
  }

  #tell({ removed }: PruneReport, titles: Readonly<Record<string, string>>): void {
    const { notices, clock } = this.#deps;
    const named = removed.slice(0, NAMED).map(({ id }) => titles[id] ?? id);
    const more = removed.length > NAMED ? ` and ${removed.length - NAMED} more` : '';
    const size = (removed.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1);
    const terminals = removed.length === 1 ? '1 closed terminal was' : `${removed.length} closed terminals were`;
    notices.raise({
      key: 'retention',
      level: 'info',
      text: `${terminals} removed from the record, as it is kept within its limits (${size} MB): ${named.join(', ')}${more}.`,
      action: 'A terminal with a bookmarked or exported block is kept. The limits are in the settings.',
      terminalId: null,
      atMs: clock.nowMs(),
    });
  }

  async #compress(): Promise<RestReport> {
    const { dataFolder, log, openIds } = this.#deps;
    const total: RestReport = { files: 0, bytesBefore: 0, bytesAfter: 0, failed: [] };
    for (const entry of await surveyRecord(dataFolder, openIds())) {
      if (this.#stopping.signal.aborted) break;
      const report = this.#mayRest(entry) ? await this.#rest(entry.id) : null;
      if (!report) continue;
      add(total, report);
      if (report.files > 0)
        log('terminal_compressed', { terminalId: entry.id, before: report.bytesBefore, after: report.bytesAfter });
      for (const { path, text } of report.failed) log('compress_failed', { path, reason: text });
    }
    return total;
  }

  /** Null when it was given up: somebody wants the terminal, or all is to stop. */
  async #rest(id: string): Promise<RestReport | null> {
    const { dataFolder, clock, outputBytes } = this.#deps;
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, stop.signal]);
    const pace = new QuietPace(clock, outputBytes, signal).rest;
    const resting = restTerminal(new SessionFolder(dataFolder, id), { pace, signal }).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    this.#resting = { id, stop, done: resting.catch(() => undefined) }; // whoever waits for it only wants it over
    try {
      return await resting;
    } finally {
      this.#resting = null;
    }
  }

  #mayRest({ id, lastUsedMs }: RetentionEntry): boolean {
    if (this.#deps.clock.nowMs() - lastUsedMs < REST_AFTER_MS || this.#isWritten(id)) return false;
    return !wasAbandoned(new SessionFolder(this.#deps.dataFolder, id)); // it is to be recovered first
  }

  #isWritten(id: string): boolean {
    return this.#deps.openIds().has(id) || livingWriter(new SessionFolder(this.#deps.dataFolder, id)) !== null;
  }
}

function add(total: RestReport, { files, bytesBefore, bytesAfter, failed }: RestReport): void {
  total.files += files;
  total.bytesBefore += bytesBefore;
  total.bytesAfter += bytesAfter;
  total.failed.push(...failed);
}
