import { z } from 'zod';

export const AuditDecision = z.enum(['allowed', 'approved', 'denied', 'expired', 'refused', 'cancelled']);
export type AuditDecision = z.infer<typeof AuditDecision>;

/**
 * An entry of the audit log: something a client did, read or was refused. `sha256` covers `prev` and the line without `sha256`, so that a
 * changed, removed or inserted line is detected.
 */
export const AuditLine = z.object({
  n: z.number().int().positive(),
  ts: z.number(),
  client: z.string(),
  caller_pty: z.string().nullable(),
  pty: z.string().nullable(),
  tool: z.string(),
  /** Its subject, shortened and safe to show: a command, the keys. Secrets are redacted. */
  what: z.string(),
  /** The resulting block. Null in entries of older versions. */
  block: z.string().nullable().default(null),
  /** SHA-256 of the arguments as JSON with sorted keys. */
  args_digest: z.string(),
  decision: AuditDecision,
  /** Rule of the policy, `user`, or the refusal's code. */
  rule: z.string().nullable(),
  /** Bytes sent to the terminal; for reads, bytes given to the client. */
  bytes: z.number().int().nonnegative(),
  /** Number of read-only calls in this entry; null for a call that acts, and in entries of older versions. */
  reads: z.number().int().positive().nullable().default(null),
  prev: z.string(),
  sha256: z.string(),
});
export type AuditLine = z.infer<typeof AuditLine>;

/** Selects entries; absent fields match all. */
export const AuditFilter = z.object({
  client: z.string().max(256).optional(),
  pty: z.string().max(64).optional(),
  decisions: z.array(AuditDecision).max(6).optional(),
  /** true: only reads; false: no reads. */
  reads: z.boolean().optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

/** Start of the next page: before entry `n`, which is at byte `at` of its file. Valid only if it comes from a page. */
export const AuditCursor = z.object({ n: z.number().int().positive(), at: z.number().int().nonnegative() });
export type AuditCursor = z.infer<typeof AuditCursor>;

export interface AuditPage {
  /** Newest first. */
  readonly lines: readonly AuditLine[];
  /** Null if there are no older entries. A page may be short or even empty without being the last. */
  readonly next: AuditCursor | null;
}

/** A position at which the audit log is not intact. */
export interface AuditBreak {
  /** `missing-end`, `added-end` and `head` concern the newest entries, the others a line. */
  readonly kind: 'changed' | 'missing' | 'order' | 'unreadable' | 'missing-end' | 'added-end' | 'head';
  /** The file's name, and its line from 1; null if no line is concerned. */
  readonly file: string;
  readonly line: number | null;
  /** The entry at that position, or the first missing one; null if unknown. */
  readonly n: number | null;
  /** A sentence without its full stop. */
  readonly reason: string;
}

export interface AuditVerdict {
  readonly ok: boolean;
  /** Number of existing lines. */
  readonly entries: number;
  readonly files: number;
  /** Number of the oldest and of the newest entry; 0 if there is none. Entries before `first` were removed because of their age. */
  readonly first: number;
  readonly last: number;
  /** In order, at most 100. */
  readonly breaks: readonly AuditBreak[];
  readonly breakCount: number;
  /** Up to this entry, the end was accepted as found, because no head proved it. 0: never. */
  readonly trustedTo: number;
}

/** Data for the window besides the entries. The names are those in any entry, in the order of first use. */
export interface AuditState {
  readonly verdict: AuditVerdict;
  readonly checkedMs: number;
  readonly clients: readonly string[];
  readonly terminals: readonly string[];
}

/** First the number of the newest entry, then each new one. */
export type AuditChange = { type: 'from'; n: number } | { type: 'line'; line: AuditLine };
