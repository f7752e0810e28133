import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { AuditLine } from '../../contract/mcp/audit.ts';
import { type DiskError, isNoRoom } from '../files/Disk.ts';
import { RecordFile, type RecordFileOptions } from '../files/RecordFile.ts';
import { openIfThere, readPiece } from '../files/readPiece.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { FIRST_PREV } from './auditChain.ts';

/** Less than a sector, so that it is written in one piece; padded, so that a new one covers the old one. */
const HEAD_BYTES = 512;
/** A reader may meet a writer in the middle of the file. */
const READS = 3;

const Number_ = z.number().int().nonnegative();
const Hash = z.string().regex(/^[0-9a-f]{64}$/);

/** How far the audit goes, beside the audit itself: without it, entries that were cut off at the end would not show. */
export const AuditHead = z.object({
  version: z.literal(1),
  /** The oldest entry that is kept, and the hash of the one before. */
  first: z.object({ n: Number_, prev: Hash }),
  /** The newest. The log is at most one entry ahead of this, and never behind. */
  last: z.object({ n: Number_, sha256: Hash }),
  /** Up to here the entries are known to be on the disk; those after it a power cut may take. */
  synced: Number_,
  /** Up to here the end was taken as it was found: there was no head, or an older one. */
  trusted: Number_,
});
export type AuditHead = z.infer<typeof AuditHead>;

export type AuditHeadRead = AuditHead | 'missing' | 'unreadable';

export function auditHeadPath(auditPath: string): string {
  return join(dirname(auditPath), 'audit.head.json');
}

/** 512 bytes: the head with a digest of itself, padded with blanks, and LF. */
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

/** Null for anything that is not to the byte what `formatAuditHead` makes. */
export function parseAuditHead(bytes: Buffer): AuditHead | null {
  try {
    const head = AuditHead.parse(JSON.parse(bytes.toString('utf8')));
    return formatAuditHead(head).equals(bytes) ? head : null;
  } catch {
    return null; // damage is an answer here
  }
}

/** Rejects only for what the disk refuses. */
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

/** The head as its one writer has it. What the disk refuses is told by the result, and written with the next. */
export class AuditHeadFile {
  readonly #file: RecordFile;
  #head: AuditHead;

  private constructor(file: RecordFile, head: AuditHead) {
    this.#file = file;
    this.#head = head;
  }

  /**
   * Puts `head` in the place of what was there: after a kill at any moment the file holds the old one or this one. On a full disk it is
   * written with the next entry instead, so that a full disk never blocks the terminal in which the person makes room.
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

  /** Handed to the system when it returns. */
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

/** Where to go on: at the head where there is one that is not behind, else at what is there, taken on trust. */
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
