import { z } from 'zod';
import type { PastImportReport, PastStatus } from '../contract/past.ts';
import { procedure, router } from './trpc.ts';

/** What agents kept of their own conversations. */
export const pastRouter = router({
  /** What could be imported, and the import that runs. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<PastStatus> {
    yield* ctx.core.agents.past.follow(signal);
  }),

  /** Imports what is new, of all agents or of those named. Takes a second for each 100 MB of logs. */
  import: procedure
    .input(z.object({ only: z.array(z.string().max(64)).max(64).optional() }))
    .mutation(({ ctx, input }): Promise<PastImportReport> => ctx.core.agents.past.import(input.only)),

  /** Answers the offer to import, once and for all later starts. Resolves when a wanted import is done. */
  answer: procedure
    .input(z.object({ isWanted: z.boolean() }))
    .mutation(({ ctx, input }): Promise<void> => ctx.core.agents.past.answer(input.isWanted)),

  /** Another process has imported. */
  changed: procedure.mutation(({ ctx }): void => ctx.core.agents.past.changed()),
});
