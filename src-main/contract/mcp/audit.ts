import { z } from 'zod';

export const AuditDecision = z.enum(['allowed', 'approved', 'denied', 'expired', 'refused', 'cancelled']);
export type AuditDecision = z.infer<typeof AuditDecision>;

/**
 * An entry of the audit: something an outside client did, read or was refused. `sha256` is over `prev` and the line without `sha256`, so that a line
 * that was changed, taken out or put in shows.
 */
export const AuditLine = z.object({
  n: z.number().int().positive(),
  ts: z.number(),
  client: z.string(),
  caller_pty: z.string().nullable(),
  pty: z.string().nullable(),
  tool: z.string(),
  /** What it was about, shortened and made safe to show: a command, the keys. Secrets are redacted. */
  what: z.string(),
  /** The block that came of it. Entries of older versions do not say. */
  block: z.string().nullable().default(null),
  /** SHA-256 of the arguments as JSON with sorted keys. */
  args_digest: z.string(),
  decision: AuditDecision,
  /** Rule of the policy, `user`, or the code of the refusal. */
  rule: z.string().nullable(),
  /** What was sent to the terminal; of reads what the client was given. */
  bytes: z.number().int().nonnegative(),
  /** How many calls that only looked the entry stands for; null for one that would do something, and in entries of older versions. */
  reads: z.number().int().positive().nullable().default(null),
  prev: z.string(),
  sha256: z.string(),
});
export type AuditLine = z.infer<typeof AuditLine>;

/** Which entries are wanted; what is not named does not matter. */
export const AuditFilter = z.object({
  client: z.string().max(256).optional(),
  pty: z.string().max(64).optional(),
  decisions: z.array(AuditDecision).max(6).optional(),
  /** true: only reads; false: all but them. */
  reads: z.boolean().optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

/** Where the next page begins: before entry `n`, which stands at byte `at` of its file. Only what a page gave is of use. */
export const AuditCursor = z.object({ n: z.number().int().positive(), at: z.number().int().nonnegative() });
export type AuditCursor = z.infer<typeof AuditCursor>;

export interface AuditPage {
  /** Newest first. */
  readonly lines: readonly AuditLine[];
  /** null when there are no older ones. A page may be short, or empty, and not be the last. */
  readonly next: AuditCursor | null;
}

/** A place where the audit is not as it was written. */
export interface AuditBreak {
  /** `missing-end`, `added-end` and `head` are about the newest entries, the others about a line. */
  readonly kind: 'changed' | 'missing' | 'order' | 'unreadable' | 'missing-end' | 'added-end' | 'head';
  /** The file's name, and its line from 1; null where it is about no line. */
  readonly file: string;
  readonly line: number | null;
  /** The entry that stands there, or the first that is missing; null when that is not known. */
  readonly n: number | null;
  /** A sentence without its full stop. */
  readonly reason: string;
}

export interface AuditVerdict {
  readonly ok: boolean;
  /** Lines that are there. */
  readonly entries: number;
  readonly files: number;
  /** Number of the oldest and the newest entry; 0 when there is none. Those before `first` were removed, being old. */
  readonly first: number;
  readonly last: number;
  /** In their order, at most 100 of them. */
  readonly breaks: readonly AuditBreak[];
  readonly breakCount: number;
  /** Up to this entry the end was taken as it was found: nothing had vouched for it. 0: never. */
  readonly trustedTo: number;
}

/** What the window needs beside the entries. The names are those that stand in any entry, in their order of first use. */
export interface AuditState {
  readonly verdict: AuditVerdict;
  readonly checkedMs: number;
  readonly clients: readonly string[];
  readonly terminals: readonly string[];
}

/** First the number of the newest entry, then each that is written. */
export type AuditChange = { type: 'from'; n: number } | { type: 'line'; line: AuditLine };
