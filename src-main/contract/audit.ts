import { z } from 'zod';

/**
 * A line of audit.jsonl: something an outside client did or was refused. `sha256` is over `prev` and the line without `sha256`, so that a line
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
  /** SHA-256 of the arguments as JSON with sorted keys. */
  args_digest: z.string(),
  decision: z.enum(['allowed', 'approved', 'denied', 'expired', 'refused', 'cancelled']),
  /** Rule of the policy, `user`, or the code of the refusal. */
  rule: z.string().nullable(),
  bytes: z.number().int().nonnegative(),
  prev: z.string(),
  sha256: z.string(),
});
export type AuditLine = z.infer<typeof AuditLine>;
