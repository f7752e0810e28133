import { z } from 'zod';
import { TerminalId } from '../contract/ids.ts';
import { Settings } from '../contract/settings.ts';
import { procedure, router } from './trpc.ts';

/** The record as a whole, at rest. */
export const recordRouter = router({
  /** Moves terminals beyond these limits to the trash. `isAsked`: the person has confirmed the list. */
  tidy: procedure
    .input(Settings.pick({ 'retention.days': true, 'retention.bytes': true }).extend({ isAsked: z.boolean() }))
    .mutation(({ ctx, input: { isAsked, ...limits } }) => ctx.core.housekeeping.tidy(limits, isAsked)),

  /** Brings a terminal back from the trash, or all of them. */
  restore: procedure
    .input(z.object({ id: z.nullable(TerminalId) }))
    .mutation(({ ctx, input }) => ctx.core.housekeeping.restore(input.id)),

  /** Permanently deletes everything in the trash. */
  emptyTrash: procedure.input(z.object({})).mutation(({ ctx }) => ctx.core.housekeeping.emptyTrash()),

  /** Begins to compress what nobody writes, slowly and in the background. */
  compress: procedure.input(z.object({})).mutation(({ ctx }): void => ctx.core.housekeeping.compressSoon()),
});
