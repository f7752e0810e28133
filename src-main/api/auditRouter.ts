import { z } from 'zod';
import type { AuditLine } from '../contract/audit.ts';
import { procedure, router } from './trpc.ts';

const MAX_PAGE = 500;

/** What outside clients did and were refused. */
export const auditRouter = router({
  /** The newest `limit` lines before `beforeN`, in their order. */
  page: procedure
    .input(
      z.object({
        beforeN: z.number().int().positive().optional(),
        limit: z.number().int().min(1).max(MAX_PAGE).default(100),
      }),
    )
    .query(
      ({ ctx, input: { beforeN, limit } }): Promise<AuditLine[]> =>
        ctx.core.clients.audit.page({ limit, ...(beforeN !== undefined && { beforeN }) }),
    ),
});
