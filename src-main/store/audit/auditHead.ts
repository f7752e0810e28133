import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { AuditLine } from '../../contract/mcp/audit.ts';
import { type DiskError, isNoRoom } from '../files/Disk.ts';
import { RecordFile, type RecordFileOptions } from '../files/RecordFile.ts';
import { openIfThere, readPiece } from '../files/readPiece.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { FIRST_PREV } from './auditChain.ts';

/** Smaller than a disk sector, so that one write replaces it; padded, so that a new head covers the old one. */
const HEAD_BYTES = 512;
/** A reader may see the file in the middle of a write. */
const READS = 3;

const Number_ = z.number().int().nonnegative();
const Hash = z.string().regex(/^[0-9a-f]{64}$/);

/** The first and last entry of the audit log, in a file of its own: without it, entries cut off at the end would go unnoticed. */
export const AuditHead = z.object({
  version: z.literal(1),
  /** Number of the oldest kept entry, and the hash of the entry before it. */
  first: z.object({ n: Number_, prev: Hash }),
  /** The newest entry. The log is at most one entry ahead of this, and never behind. */
  last: z.object({ n: Number_, sha256: Hash }),
  /** Entries up to this one are on the disk; a power cut may take later ones. */
  synced: Number_,
  /** Up to this entry, the end was accepted as found, because the head was missing or older. */
  trusted: Number_,
});
export type AuditHead = z.infer<typeof AuditHead>;

export type AuditHeadRead = AuditHead | 'missing' | 'unreadable';

export function auditHeadPath(auditPath: string): string {
  return join(dirname(auditPath), 'audit.head.json');
}

/** Returns 512 bytes: the head with a digest of itself, padded with spaces, and LF. */
export function formatAuditHead({ version, first, last, synced, trusted }: AuditHead): Buffer {
  const json = JSON.stringify({
    version,
    first: { n: first.n, prev: first.prev },
    last: { n: last.n, sha256: last.sha256 },
    synced,
    trusted,
  });
  const check = createHash('sha256').update(json).digest('hex');
  return Buffer.from(`${`${json.slice(0, -1)},"check":"${check}"}`.padEnd(HEAD_BYTES - 1)}\n`);
}

/** Returns null unless `bytes` are exactly what `formatAuditHead` writes. */
export function parseAuditHead(bytes: Buffer): AuditHead | null {
  try {
    const head = AuditHead.parse(JSON.parse(bytes.toString('utf8')));
    return formatAuditHead(head).equals(bytes) ? head : null;
  } catch {
    return null; // damaged bytes are an expected result
  }
}

/** Rejects only with errors of the disk. */
export async function readAuditHead(auditPath: string): Promise<AuditHeadRead> {
  for (let read = 1; ; read += 1) {
    const file = await openIfThere(auditHeadPath(auditPath));
    if (!file) return 'missing';
    try {
      const head = parseAuditHead(await readPiece(file, 0, HEAD_BYTES + 1));
      if (head) return head;
    } finally {
      await file.close();
    }
    if (read === READS) return 'unreadable';
  }
}

/** The head, held by its only writer. A write returns the disk's error; the next write includes the change. */
export class AuditHeadFile {
  readonly #file: RecordFile;
  #head: AuditHead;

  private constructor(file: RecordFile, head: AuditHead) {
    this.#file = file;
    this.#head = head;
  }

  /**
   * Replaces the head on disk with `head`: after a kill at any moment the file holds the old or the new one. On a full disk the next entry's write
   * includes it, so that a full disk never blocks the terminal in which the person makes room.
   */
  static async create(auditPath: string, head: AuditHead, options: RecordFileOptions): Promise<AuditHeadFile> {
    const path = auditHeadPath(auditPath);
    const file = new AuditHeadFile(new RecordFile(path, options), head);
    try {
      await replaceFile(path, formatAuditHead(head));
      file.#file.open();
    } catch (error) {
      if (!isNoRoom(error)) throw error;
    }
    return file;
  }

  get value(): AuditHead {
    return this.#head;
  }

  /** The kernel has the bytes when this returns. */
  write(change: Partial<AuditHead>): DiskError | null {
    this.#head = { ...this.#head, ...change };
    const opened = this.#file.open();
    return opened.error ?? this.#file.writeAt(formatAuditHead(this.#head), 0).error;
  }

  sync(): Promise<DiskError | null> {
    return this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Where the log continues: at the head if it exists and is not behind, otherwise at the last entry found, which is trusted. */
export function headFrom(
  head: Awaited<ReturnType<typeof readAuditHead>>,
  last: AuditLine | null,
): { head: AuditHead; missing: number } {
  const link = last ? { n: last.n, sha256: last.sha256 } : { n: 0, sha256: FIRST_PREV };
  if (typeof head === 'string') {
    const first = { n: 1, prev: FIRST_PREV };
    return { head: { version: 1, first, last: link, synced: 0, trusted: link.n }, missing: 0 };
  }
  const ahead = link.n - head.last.n;
  if (ahead <= 0) return { head, missing: head.last.n - link.n };
  const trusted = ahead > 1 ? link.n : head.trusted;
  return { head: { ...head, last: link, trusted }, missing: 0 };
}
