import type { AuditLine } from '../../contract/mcp/audit.ts';
import { type AuditCounts, keepAuditCounts, readAuditCounts } from '../../store/audit/auditCounts.ts';
import type { AuditLog } from '../../store/audit/auditLog.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { auditEntry, type CountedEntry, isCountOf } from './AuditAggregator.ts';

/** A kill loses at most the counts of this time, and a flood of calls costs one write of a small file per period. */
const KEEP_EVERY_MS = 5_000;
const PAGE = 1_000;

export interface KeptCountsDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** The counts not yet written to the audit log, as entries that mention a kill. */
  waiting(): CountedEntry[];
}

/** Keeps pending counts in audit.counts.json, so that the next start can write them to the audit log after a kill. */
export class AuditCountStore {
  readonly #audit: AuditLog;
  readonly #deps: KeptCountsDeps;
  #timer: IDisposable | null = null;
  /** Whether the file may contain counts. */
  #isKept = false;
  #keeping: Promise<void> = Promise.resolve();

  private constructor(audit: AuditLog, deps: KeptCountsDeps) {
    this.#audit = audit;
    this.#deps = deps;
  }

  /** Writes the counts that a killed core left behind. Rejects if the disk cannot read them. */
  static async open(audit: AuditLog, deps: KeptCountsDeps): Promise<AuditCountStore> {
    const read = await readAuditCounts(audit.path);
    if (read.status === 'bad') deps.log('audit_counts_bad', { reason: read.reason, keptAs: read.keptAs });
    const kept = new AuditCountStore(audit, deps);
    if (read.status === 'ok' && read.value.entries.length > 0) {
      kept.#isKept = true;
      const told = await entriesAfter(audit, read.value.n);
      for (const entry of read.value.entries)
        if (!told.some((line) => isCountOf(line, entry))) detach('AuditCountStore', audit.write(auditEntry(entry)));
      await kept.#keep();
    }
    return kept;
  }

  /** Call when there are more counts than the file has. */
  changed(): void {
    this.#timer ??= this.#deps.clock.after(KEEP_EVERY_MS, () => {
      this.#timer = null;
      detach('AuditCountStore', this.#keep());
    });
  }

  /** Call after the pending counts were written to the audit log. */
  async close(): Promise<void> {
    this.#timer?.dispose();
    await this.#keeping;
    await this.#keep();
  }

  /** The next call retries a failed write. */
  #keep(): Promise<void> {
    const entries = this.#deps.waiting();
    if (entries.length === 0 && !this.#isKept) return this.#keeping;
    this.#isKept = entries.length > 0;
    const counts: AuditCounts = { version: 1, n: this.#audit.lastN, entries };
    this.#keeping = keepAuditCounts(this.#audit.path, counts).catch((thrown: unknown) =>
      this.#deps.log('audit_counts_failed', { reason: thrown instanceof Error ? thrown.message : 'unknown' }),
    );
    return this.#keeping;
  }
}

async function entriesAfter(audit: AuditLog, n: number): Promise<AuditLine[]> {
  const found: AuditLine[] = [];
  for (let before: Parameters<AuditLog['page']>[0]['before']; ; ) {
    const { lines, next } = await audit.page({ limit: PAGE, before });
    found.push(...lines.filter((line) => line.n > n));
    if (next === null || next.n <= n + 1) return found;
    before = next;
  }
}
