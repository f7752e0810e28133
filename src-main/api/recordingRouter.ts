import { z } from 'zod';
import type { CastPiece, RecordedTerminal } from '../contract/api.ts';
import { BlockId, TerminalId } from '../contract/ids.ts';
import type { TerminalView } from '../contract/terminal.ts';
import { procedure, router } from './trpc.ts';

const One = z.object({ id: TerminalId });

export const recordingRouter = router({
  /** Terminals that are in no tab, last used first. */
  list: procedure.query(({ ctx }): Promise<RecordedTerminal[]> => ctx.core.recordings.list()),

  /** Brings one of them back into a tab. A recording gets no shell. */
  open: procedure.input(One).mutation(({ ctx, input }): Promise<TerminalView> => ctx.core.openRecorded(input.id)),

  /** The asciicast of a terminal, or of one of its blocks or conversations, in pieces of text. Ends with its last. */
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
