import { z } from 'zod';
import { type AuditChange, AuditCursor, AuditFilter, type AuditPage, type AuditState } from '../contract/mcp/audit.ts';
import type { PolicyRules } from '../contract/mcp/policyRules.ts';
import { procedure, router } from './trpc.ts';

const MAX_PAGE = 500;

/** The audit log of outside clients. */
export const auditRouter = router({
  /** The newest entries that match the filter, before `before`. */
  page: procedure
    .input(
      z.object({
        before: AuditCursor.optional(),
        filter: AuditFilter.optional(),
        limit: z.number().int().min(1).max(MAX_PAGE).default(100),
      }),
    )
    .query(({ ctx, input }): Promise<AuditPage> => ctx.core.clients.audit.page(input)),

  /** Checks the whole log for changes since it was written. */
  check: procedure.query(({ ctx }): Promise<AuditState> => ctx.core.clients.audit.log.check()),

  /** The policy rules that entries refer to, in their current form. */
  rules: procedure.query(({ ctx }): PolicyRules | null => ctx.core.outside.gate.rules()),

  /** Yields the number of the newest entry, then each new entry. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<AuditChange> {
    yield* ctx.core.clients.audit.follow(signal);
  }),
});
