import { z } from 'zod';
import { type AuditChange, AuditCursor, AuditFilter, type AuditPage, type AuditState } from '../contract/mcp/audit.ts';
import type { PolicyRules } from '../contract/mcp/policyRules.ts';
import { procedure, router } from './trpc.ts';

const MAX_PAGE = 500;

/** What outside clients did and were refused. */
export const auditRouter = router({
  /** The newest entries that pass, before `before`. */
  page: procedure
    .input(
      z.object({
        before: AuditCursor.optional(),
        filter: AuditFilter.optional(),
        limit: z.number().int().min(1).max(MAX_PAGE).default(100),
      }),
    )
    .query(({ ctx, input }): Promise<AuditPage> => ctx.core.clients.auditPage(input)),

  /** Reads all of it and says whether it is as it was written. */
  check: procedure.query(({ ctx }): Promise<AuditState> => ctx.core.clients.audit.check()),

  /** The rules that entries name, as they stand in the policy now. */
  rules: procedure.query(({ ctx }): PolicyRules | null => ctx.core.outside.rules()),

  /** The number of the newest entry, then each entry that is written. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<AuditChange> {
    yield* ctx.core.clients.followAudit(signal);
  }),
});
