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

/** Calls that were counted but are in no entry of the audit log yet. They are kept so that a kill does not lose them. */
export const AuditCounts = z.object({
  version: z.literal(1),
  /** Number of the newest entry when the counts were kept. No entry up to it contains them. */
  n: z.number().int().nonnegative(),
  entries: z.array(Entry),
});
export type AuditCounts = z.infer<typeof AuditCounts>;

function auditCountsPath(auditPath: string): string {
  return join(dirname(auditPath), 'audit.counts.json');
}

/** Rejects with errors of the disk; the earlier counts remain then. */
export function keepAuditCounts(auditPath: string, counts: AuditCounts): Promise<void> {
  return replaceFile(auditCountsPath(auditPath), `${JSON.stringify(counts)}\n`);
}

export function readAuditCounts(auditPath: string): Promise<JsonFileRead<AuditCounts>> {
  return readJsonFile(auditCountsPath(auditPath), AuditCounts);
}
