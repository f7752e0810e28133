import { z } from 'zod';
import { Settings } from '../contract/settings.ts';
import { procedure, router } from './trpc.ts';

/** The record as a whole, at rest. */
export const recordRouter = router({
  /** Removes what is beyond these limits; resolves when it is gone. */
  tidy: procedure
    .input(Settings.pick({ 'retention.days': true, 'retention.bytes': true }))
    .mutation(({ ctx, input }) => ctx.core.housekeeping.tidy(input)),

  /** Begins to compress what nobody writes, slowly and in the background. */
  compress: procedure.input(z.object({})).mutation(({ ctx }): void => ctx.core.housekeeping.compressSoon()),
});
