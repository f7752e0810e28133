import { type RestReport, restTerminal } from '../store/archive/restTerminal.ts';
import { wasAbandoned } from '../store/instance/writerMark.ts';
import { type RetentionEntry, type RetentionLimits, surveyRecord } from '../store/record/retention.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import type { EmptyReport, RestoreReport } from '../store/record/trash.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { detach } from '../util/strayErrors.ts';
import { BackgroundThrottle } from './BackgroundThrottle.ts';
import { Pruning, type PruningDeps, type TidyReport } from './Pruning.ts';

/** By this time the restored tabs have their prompts. */
const FIRST_AFTER_MS = 30_000;
const LOOK_EVERY_MS = 60 * 60 * 1000;
/** A terminal that was just closed may be reopened; its files are usually still small, and the disk has room for a day. */
const REST_AFTER_MS = 60 * 60 * 1000;
export interface HousekeepingDeps extends PruningDeps {
  /** All output so far, of all terminals. */
  outputBytes: () => number;
}

/**
 * Keeps the record within its limits and archives closed terminals, in the background: soon after the start, then on each counted day. Only the
 * process with the data folder's lock may run it. The owner stops it.
 */
export class Housekeeping {
  readonly #deps: HousekeepingDeps;
  readonly #stopping = new AbortController();
  readonly #pruning: Pruning;
  /** The counted day of the last compression in this process. */
  #compressedDay: number | null = null;
  #timer: IDisposable | null = null;
  #tidying: Promise<unknown> = Promise.resolve();
  /** The terminal that is being archived. */
  #resting: { id: string; stop: AbortController; done: Promise<unknown> } | null = null;
  /** All tasks so far, in sequence. */
  #working: Promise<unknown> = Promise.resolve();

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps;
    this.#pruning = new Pruning(deps);
  }

  start(): void {
    this.#lookAfter(FIRST_AFTER_MS);
  }

  /** Moves terminals beyond the limits to the trash now: at most 5 % of the closed ones unless `isAsked`. */
  tidy(limits: RetentionLimits = this.#deps.limits(), isAsked = false): Promise<TidyReport> {
    return this.#remove(() => this.#pruning.tidy(limits, isAsked));
  }

  /** Brings back from the trash: one terminal, or all. */
  restore(id: string | null): Promise<RestoreReport> {
    return this.#next(() => this.#pruning.restore(id));
  }

  /** Permanently deletes everything in the trash. */
  emptyTrash(): Promise<EmptyReport> {
    return this.#next(() => this.#pruning.empty(() => true));
  }

  /** Archives every closed terminal, slowly. Resolves when all are done, or on a stop. */
  compress(): Promise<RestReport> {
    return this.#next(() => this.#compress());
  }

  /** The same for callers that do not wait. */
  compressSoon(): void {
    this.compress().catch((error: unknown) =>
      this.#deps.log('housekeeping_failed', { reason: error instanceof Error ? error.message : String(error) }),
    );
  }

  /** Call for a terminal that now has a tab, before its files are read or written: resolves when no task uses them. */
  async leave(id: string): Promise<void> {
    await this.#tidying.catch(() => undefined); // its caller handles the error
    if (this.#resting?.id !== id) return;
    this.#resting.stop.abort();
    await this.#resting.done;
  }

  /** Stops the current task, which completes the files it writes. Resolves when the task has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer?.dispose();
    await this.#working.catch(() => undefined); // its caller handles the error
    await this.#pruning.countLast();
  }

  #lookAfter(ms: number): void {
    this.#timer = this.#deps.clock.after(ms, () => detach('Housekeeping', this.#look()));
  }

  async #look(): Promise<void> {
    this.#lookAfter(LOOK_EVERY_MS);
    try {
      const day = await this.#next(() => this.#pruning.count());
      await this.#remove(() => this.#pruning.runDaily());
      if (this.#compressedDay === day) return;
      this.#compressedDay = day;
      await this.compress();
    } catch (error) {
      this.#deps.log('housekeeping_failed', { reason: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Runs a task that removes folders, for which `leave` waits. */
  #remove<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#next(work);
    this.#tidying = own;
    return own;
  }

  /** One task at a time, because two would work on the same folders. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#working.catch(() => undefined).then(work); // the earlier caller handles its error
    this.#working = own;
    return own;
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

  /** Null if it was stopped, because the terminal is needed or everything stops. */
  async #rest(id: string): Promise<RestReport | null> {
    const { dataFolder, clock, outputBytes } = this.#deps;
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, stop.signal]);
    const pace = new BackgroundThrottle(clock, outputBytes, signal).rest;
    const resting = restTerminal(new SessionFolder(dataFolder, id), { pace, signal }).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    this.#resting = { id, stop, done: resting.catch(() => undefined) }; // waiters only need its end
    try {
      return await resting;
    } finally {
      this.#resting = null;
    }
  }

  #mayRest({ id, lastUsedMs }: RetentionEntry): boolean {
    // A file from the future was written under another clock, and is not being used now.
    const isFresh = Math.abs(this.#deps.clock.nowMs() - lastUsedMs) < REST_AFTER_MS;
    if (isFresh || this.#pruning.isWritten(id)) return false;
    return !wasAbandoned(new SessionFolder(this.#deps.dataFolder, id)); // it has to be recovered first
  }
}

function add(total: RestReport, { files, bytesBefore, bytesAfter, failed }: RestReport): void {
  total.files += files;
  total.bytesBefore += bytesBefore;
  total.bytesAfter += bytesAfter;
  total.failed.push(...failed);
}
