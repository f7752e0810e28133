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

/** A command is told to this length; its digest is over all of it. */
const MAX_WHAT_CHARS = 2_000;
/** Some 30,000 entries; a file that has reached it is full. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Full files that are kept: 128 MiB, some 250,000 entries. */
const KEPT_FILES = 8;

export interface AuditEntry {
  readonly client: string;
  readonly callerPty: string | null;
  readonly pty: string | null;
  readonly tool: string;
  readonly what: string;
  /** The block that comes of it, or null. */
  readonly block?: string | null;
  /** Only their digest is kept. */
  readonly args: unknown;
  readonly decision: AuditLine['decision'];
  readonly rule: string | null;
  readonly bytes: number;
  /** Calls that it stands for, which only looked; null for what would do something. */
  readonly reads?: number | null;
}

export interface AuditOptions extends Omit<JsonLinesOptions, 'onWritten' | 'onFault'> {
  /** Why the disk does not take entries, or does not take the head that vouches for them; null when it does again. */
  onFault?(reason: string | null): void;
  /** Makes text safe to keep and to show: secrets out, nothing that a terminal obeys. */
  clean(text: string): string;
  maxFileBytes?: number;
  keptFiles?: number;
}

/** What a start found: bytes of a line that a kill had cut off (moved aside), and entries that are missing at the end. */
export interface AuditOpened {
  log: AuditLog;
  torn: number;
  missing: number;
}

/**
 * What outside clients did, read and were refused: audit.jsonl, one `AuditLine` a line, each chained to the one before by `prev` and `sha256`. A file
 * that is full is renamed to audit-<number of its last entry>.jsonl, and the chain goes on in a new one. audit.head.json names the newest entry.
 * The oldest full file goes when there are too many, and only if it is whole. One process writes: the owner of the data folder.
 */
export class AuditLog {
  readonly path: string;
  readonly #options: AuditOptions;
  readonly #head: AuditHeadFile;
  readonly #written = new Emitter<AuditLine>();
  /** An entry is on its way to the file. */
  readonly onWritten = this.#written.on;
  #lines: JsonLines<AuditLine>;
  #last: AuditLink;
  /** What the disk last said of the entries and of the head, and what was told of it. */
  #fault: { lines: string | null; head: DiskError | null; told: string | null } = {
    lines: null,
    head: null,
    told: null,
  };
  /** Files that are full are closed and counted one after the other. */
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

  /** Rejects when the disk refuses. What is missing at the end stays missing: the next entry has the number that it would have had. */
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

  /** In the file when it returns, on disk within a second; resolves to false when the disk would not take it. */
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

  /** Reads all of it. Whoever asks meanwhile gets the same answer. */
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

  /** Before the next entry is written, the head knows this one. */
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

  /** The head says that entries are on the disk after they are, never before. */
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

  /** Where the file cannot get another name it just goes on growing. */
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

  /** Takes the oldest full files away; one that is not whole stays, and with it all that are newer. Never rejects. */
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
          // without a head that says so its absence would look like a loss
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
