import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AuditLine } from '../../contract/mcp/audit.ts';
import { type JsonFileRead, readJsonFile, replaceFile } from '../files/replaceFile.ts';

const Entry = AuditLine.pick({
  client: true,
  pty: true,
  tool: true,
  what: true,
  decision: true,
  rule: true,
  bytes: true,
  reads: true,
}).extend({ callerPty: z.string().nullable() });

/** Calls that were counted and stand in no entry of the audit yet, as they are kept for a start after a kill. */
export const AuditCounts = z.object({
  version: z.literal(1),
  /** The newest entry when they were kept: they are in none up to it. */
  n: z.number().int().nonnegative(),
  entries: z.array(Entry),
});
export type AuditCounts = z.infer<typeof AuditCounts>;

function auditCountsPath(auditPath: string): string {
  return join(dirname(auditPath), 'audit.counts.json');
}

/** Rejects when the disk refuses; what was kept before is kept then. */
export function keepAuditCounts(auditPath: string, counts: AuditCounts): Promise<void> {
  return replaceFile(auditCountsPath(auditPath), `${JSON.stringify(counts)}\n`);
}

export function readAuditCounts(auditPath: string): Promise<JsonFileRead<AuditCounts>> {
  return readJsonFile(auditCountsPath(auditPath), AuditCounts);
}
