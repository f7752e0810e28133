import { existsSync, renameSync } from 'node:fs';
import type { AuditCursor, AuditFilter, AuditLine, AuditPage, AuditState } from '../../contract/mcp/audit.ts';
import { Emitter } from '../../util/Emitter.ts';
import { SerialQueue } from '../../util/SerialQueue.ts';
import { detach } from '../../util/strayErrors.ts';
import { asDiskError, type DiskError, nodeDisk } from '../files/Disk.ts';
import { JsonLines, type JsonLinesOptions } from '../files/JsonLines.ts';
import { cutTornTail } from '../files/tornTail.ts';
import { type AuditLink, canonicalJson, chainedLine, sha256 } from './auditChain.ts';
import { endOfWhole, fullAuditPath, listAuditFiles, readAuditPage, readLastAuditLine } from './auditFiles.ts';
import { AuditHeadFile, headFrom, readAuditHead } from './auditHead.ts';
import { checkAudit } from './verifyAudit.ts';

/** Longer commands are cut to this length; the digest covers the whole command. */
const MAX_WHAT_CHARS = 2_000;
/** About 30,000 entries; a file of this size is full. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Full files to keep: 128 MiB, about 250,000 entries. */
const KEPT_FILES = 8;

export interface AuditEntry {
  readonly client: string;
  readonly callerPty: string | null;
  readonly pty: string | null;
  readonly tool: string;
  readonly what: string;
  /** The block that the call created, or null. */
  readonly block?: string | null;
  /** The log keeps only their digest. */
  readonly args: unknown;
  readonly decision: AuditLine['decision'];
  readonly rule: string | null;
  readonly bytes: number;
  /** Number of read-only calls that this entry counts; null for a call that acts. */
  readonly reads?: number | null;
}

export interface AuditOptions extends Omit<JsonLinesOptions, 'onWritten' | 'onFault'> {
  /** Called with the reason when the disk refuses entries or their head, and with null when it accepts them again. */
  onFault?(reason: string | null): void;
  /** Makes text safe to keep and show: removes secrets and control sequences. */
  clean(text: string): string;
  maxFileBytes?: number;
  keptFiles?: number;
}

/** Result of opening the log: bytes of a line that a kill cut off (moved aside), and number of entries missing at the end. */
export interface AuditOpened {
  log: AuditLog;
  torn: number;
  missing: number;
}

/**
 * What clients did, read and were refused: audit.jsonl, one `AuditLine` per line, each chained to the one before by `prev` and `sha256`. A full
 * file is renamed to audit-<number of its last entry>.jsonl, and the chain continues in a new file. audit.head.json names the newest entry.
 * The oldest full file is removed when there are too many, if it is intact. Only the owner of the data folder writes.
 */
export class AuditLog {
  readonly path: string;
  readonly #options: AuditOptions;
  readonly #head: AuditHeadFile;
  readonly #written = new Emitter<AuditLine>();
  /** Fires when an entry is handed to the file. */
  readonly onWritten = this.#written.on;
  #lines: JsonLines<AuditLine>;
  #last: AuditLink;
  /** The disk's last error for entries and for the head, and the reason last reported. */
  #fault: { lines: string | null; head: DiskError | null; told: string | null } = {
    lines: null,
    head: null,
    told: null,
  };
  /** Closes and counts full files one at a time. */
  readonly #rolling = new SerialQueue();
  #syncing: Promise<void> | null = null;
  #checking: Promise<AuditState> | null = null;
  #isEnding = false;

  private constructor(path: string, options: AuditOptions, head: AuditHeadFile) {
    this.path = path;
    this.#options = options;
    this.#head = head;
    this.#last = head.value.last;
    this.#lines = this.#openLines();
  }

  /** Rejects with errors of the disk. Entries missing at the end stay missing, and the next entry does not reuse their numbers. */
  static async open(path: string, options: AuditOptions): Promise<AuditOpened> {
    const torn = await cutTornTail(path, options.clock.nowMs());
    const last = await readLastAuditLine(path);
    const { head, missing } = headFrom(await readAuditHead(path), last);
    const log = new AuditLog(path, options, await AuditHeadFile.create(path, head, options));
    detach(
      'AuditLog',
      log.#rolling.run(() => log.#removeOld()),
    );
    return { log, torn: torn?.bytes ?? 0, missing };
  }

  /** Number of the newest entry. */
  get lastN(): number {
    return this.#last.n;
  }

  /** The entry is in the file when this returns and on disk within a second; resolves to false if the disk refuses it. */
  write(entry: AuditEntry): Promise<boolean> {
    if (this.#isEnding) {
      this.#options.log('audit_write_after_close', { tool: entry.tool });
      return Promise.resolve(false);
    }
    if (this.#lines.size >= (this.#options.maxFileBytes ?? MAX_FILE_BYTES)) this.#roll();
    const line = this.#lineOf(entry);
    this.#last = line;
    const written = this.#lines.append(line);
    this.#syncing ??= this.#sync().finally(() => {
      this.#syncing = null;
    });
    this.#written.fire(line);
    return written;
  }

  page(query: {
    limit: number;
    before?: AuditCursor | undefined;
    filter?: AuditFilter | undefined;
  }): Promise<AuditPage> {
    return readAuditPage(this.path, query);
  }

  /** Checks the whole log. Concurrent calls share one check. */
  check(): Promise<AuditState> {
    this.#checking ??= checkAudit(this.path)
      .then((checked) => ({ ...checked, checkedMs: this.#options.clock.nowMs() }))
      .finally(() => {
        this.#checking = null;
      });
    return this.#checking;
  }

  async close(): Promise<void> {
    this.#written.dispose();
    this.#isEnding = true;
    await this.#lines.syncNow();
    await this.#syncing;
    await this.#rolling.idle();
    await this.#lines.close();
    await this.#head.close();
  }

  #lineOf({
    client,
    pty,
    tool,
    decision,
    rule,
    bytes,
    callerPty,
    what,
    block = null,
    args,
    reads = null,
  }: AuditEntry): AuditLine {
    return chainedLine({
      n: this.#last.n + 1,
      ts: this.#options.clock.nowMs(),
      client,
      caller_pty: callerPty,
      pty,
      tool,
      what: this.#options.clean(what).slice(0, MAX_WHAT_CHARS),
      block,
      args_digest: sha256(canonicalJson(args)),
      decision,
      rule,
      bytes,
      reads,
      prev: this.#last.sha256,
    });
  }

  #openLines(): JsonLines<AuditLine> {
    const { clean, maxFileBytes, keptFiles, ...options } = this.#options;
    return JsonLines.open<AuditLine>(this.path, {
      ...options,
      onWritten: (bytes) => this.#follow(bytes),
      onFault: (fault) => this.#tellFault({ lines: fault?.reason ?? null }),
    });
  }

  /** Updates the head before the next entry is written. */
  #follow(bytes: Uint8Array): void {
    const text = Buffer.from(bytes).toString('latin1');
    const n = Number(/^\{"n":(\d+),/.exec(text)?.[1]);
    const hash = /"sha256":"([0-9a-f]{64})"\}\n$/.exec(text)?.[1] ?? '';
    this.#tellFault({ head: this.#head.write({ last: { n, sha256: hash } }) });
  }

  #tellFault(change: Partial<{ lines: string | null; head: DiskError | null }>): void {
    this.#fault = { ...this.#fault, ...change };
    const { lines, head, told } = this.#fault;
    const reason = lines ?? head?.reason ?? null;
    if (reason === told) return;
    this.#fault.told = reason;
    if (lines === null && head) this.#options.log('audit_head_failed', { code: head.code, n: this.#last.n });
    this.#options.onFault?.(reason);
  }

  /** Marks entries in the head as synced only after they are on the disk. */
  async #sync(): Promise<void> {
    for (let synced = -1; synced < this.#last.n; ) {
      synced = this.#last.n;
      await (this.#isEnding ? this.#lines.syncNow() : this.#lines.sync());
      await this.#rolling.idle(); // entries of a full file are synced with it
      if (this.#lines.fault) return;
      this.#head.write({ synced: Math.min(synced, this.#head.value.last.n) });
      await this.#head.sync();
    }
  }

  /** Renames a full file and starts a new one. If the rename fails, the file keeps growing. */
  #roll(): void {
    const full = fullAuditPath(this.path, this.#last.n);
    if (this.#lines.fault || existsSync(full)) return;
    try {
      renameSync(this.path, full);
    } catch (thrown) {
      this.#options.log('audit_roll_failed', { code: asDiskError(thrown).code });
      return;
    }
    const before = this.#lines;
    this.#lines = this.#openLines();
    const count = async (): Promise<void> => {
      await before.close();
      await this.#removeOld();
    };
    detach('AuditLog', this.#rolling.run(count));
  }

  /** Removes the oldest full files. A file that is not intact stays, and so do all newer ones. Never rejects. */
  async #removeOld(): Promise<void> {
    try {
      const full = (await listAuditFiles(this.path)).filter(({ lastN }) => lastN !== null);
      const tooMany = full.slice(0, Math.max(0, full.length - (this.#options.keptFiles ?? KEPT_FILES)));
      for (const { path, name, lastN } of tooMany) {
        const { first } = this.#head.value;
        const end = (lastN ?? 0) < first.n ? { n: first.n - 1, sha256: first.prev } : await endOfWhole(path, first);
        if (!end || (lastN ?? 0) > end.n) {
          this.#options.log('audit_kept', { name, reason: 'it is not whole' });
          return;
        }
        const { first: before } = this.#head.value;
        const error = this.#head.write({ first: { n: end.n + 1, prev: end.sha256 } }) ?? (await this.#head.sync());
        if (error) {
          // without an updated head, the removed file would look like a loss
          this.#head.write({ first: before });
          this.#options.log('audit_kept', { name, code: error.code });
          return;
        }
        await (this.#options.disk ?? nodeDisk).remove(path);
      }
    } catch (thrown) {
      this.#options.log('audit_kept', { code: asDiskError(thrown).code });
    }
  }
}
