import { z } from 'zod';
import type { HistoryEntry } from '../contract/api.ts';
import { procedure, router } from './trpc.ts';

export const historyRouter = router({
  /** Commands of all terminals, newest first, each text once. */
  list: procedure
    .input(z.object({ query: z.string().max(1000).default(''), limit: z.number().int().min(1).max(1000).default(200) }))
    .query(({ ctx, input }): HistoryEntry[] => ctx.core.history.list(input.query, input.limit)),

  /** The newest command that goes on where `prefix` ends: one of the folder before one of the project, before any other. */
  nearest: procedure
    .input(
      z.object({
        prefix: z.string().min(1).max(1000),
        cwd: z.string().max(4096),
        project: z.string().max(4096).nullable(),
      }),
    )
    .query(({ ctx, input }): string | null => ctx.core.history.nearest(input)),

  /** Newest first, each text once: those that begin with `prefix`. */
  startingWith: procedure
    .input(z.object({ prefix: z.string().max(10_000), limit: z.number().int().min(1).max(1000) }))
    .query(({ ctx, input }): HistoryEntry[] => ctx.core.history.startingWith(input.prefix, input.limit)),
});
