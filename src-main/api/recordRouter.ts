import { z } from 'zod';
import type { CastPiece, RecordedTerminal } from '../contract/api.ts';
import { BlockId, TerminalId } from '../contract/ids.ts';
import { Settings } from '../contract/settings.ts';
import type { TerminalView } from '../contract/terminal.ts';
import { procedure, router } from './trpc.ts';

/** Maintenance of the whole record on disk. */
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

  /** Begins to archive closed terminals slowly in the background. */
  compress: procedure.input(z.object({})).mutation(({ ctx }): void => ctx.core.housekeeping.compressSoon()),
});

const One = z.object({ id: TerminalId });

export const recordingRouter = router({
  /** Lists closed terminals, last used first. */
  list: procedure.query(({ ctx }): Promise<RecordedTerminal[]> => ctx.core.recordings.list()),

  /** Reopens a closed terminal in a tab. A recording gets no shell. */
  open: procedure.input(One).mutation(({ ctx, input }): Promise<TerminalView> => ctx.core.openRecorded(input.id)),

  /** Yields the asciicast of a terminal, or of one of its blocks or conversations, in pieces of text. */
  cast: procedure
    .input(
      One.extend({
        blockId: z.optional(BlockId),
        conversationId: z.string().max(128).optional(),
        version: z.union([z.literal(2), z.literal(3)]).default(2),
        title: z.string().max(1000).nullable().default(null),
      }),
    )
    .subscription(async function* ({ ctx, input, signal }): AsyncGenerator<CastPiece> {
      yield* ctx.core.recordings.cast(input, signal);
    }),
});
