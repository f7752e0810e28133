import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { TerminalId } from '../contract/ids.ts';
import { namedDelta } from '../contract/screen/foldDelta.ts';
import {
  type ScreenClosed,
  type ScreenPicture,
  ScreenQuery,
  type ScreenReading,
  type SeqMismatch,
  type StreamedDelta,
  WaitQuery,
  type WaitResult,
} from '../contract/screen/screen.ts';
import { notFound, procedure, router } from './trpc.ts';

const InTerminal = z.object({ terminalId: TerminalId });
const Reading = InTerminal.extend({ readerId: z.string().min(1).max(64) });
/** mcp.md, pty_screen_deltas. */
const MAX_DELTAS = 200;

/** The screen as data: live for an open terminal, from its files for a closed one. */
export const screenRouter = router({
  read: procedure
    .input(InTerminal.extend(ScreenQuery.shape))
    .query(
      async ({ ctx, input: { terminalId, ...query } }): Promise<ScreenReading> =>
        known(await ctx.core.screenReader.read(terminalId, query), terminalId),
    ),

  /** The current screen as an image file, in the window's theme. A refusal is part of the result. */
  picture: procedure
    .input(InTerminal.extend({ format: z.enum(['png', 'svg']) }))
    .query(async ({ ctx, input: { terminalId, format } }): Promise<ScreenPicture> => {
      const reading = known(await ctx.core.screenReader.read(terminalId, { scrollback: 0 }), terminalId);
      if (!reading.full) throw new Error(`a difference of "${terminalId}" was read in place of its screen`);
      const picture = await ctx.core.outside.pictures.of(reading.frame, { format });
      if (!picture.ok) return picture;
      return { ok: true, mediaType: picture.mediaType, base64: Buffer.from(picture.bytes).toString('base64') };
    }),

  /** Yields one result, then ends. A subscription, because only subscriptions stop when the client disconnects or unsubscribes. */
  wait: procedure.input(InTerminal.extend(WaitQuery.shape)).subscription(async function* ({
    ctx,
    input: { terminalId, ...query },
    signal,
  }): AsyncGenerator<WaitResult> {
    yield known(await ctx.core.screenReader.wait(terminalId, query, signal), terminalId);
  }),

  /** The recorded deltas in pages; `resumeCursor` is the cursor of the next page. */
  deltas: procedure
    .input(
      InTerminal.extend({
        cursor: z.union([z.number().int().nonnegative(), z.literal('end')]).default(0),
        limit: z.number().int().min(1).max(MAX_DELTAS).default(50),
      }),
    )
    .query(async ({ ctx, input: { terminalId, cursor, limit } }) => {
      const page = await ctx.core.screenReader.deltas(terminalId, cursor, limit);
      return { ...page, deltas: page.deltas.map((delta) => namedDelta(terminalId, delta)) };
    }),

  /** Yields the deltas of an open terminal as they come, from a keyframe; `screen_closed` when it is closed. The reader chooses `readerId`. */
  follow: procedure.input(Reading).subscription(async function* ({
    ctx,
    input,
    signal,
  }): AsyncGenerator<StreamedDelta | ScreenClosed> {
    const readerId = `${ctx.clientId}/${input.readerId}`;
    yield* ctx.core.deltaStreams.follow(ctx.core.terminal(input.terminalId), readerId, signal);
  }),

  /** Acknowledges all deltas up to `n`. Without it, the reader gets twenty deltas, and a keyframe once it acknowledges. */
  ack: procedure
    .input(Reading.extend({ n: z.number().int().nonnegative() }))
    .mutation(({ ctx, input: { readerId, n } }) => ctx.core.deltaStreams.ack(`${ctx.clientId}/${readerId}`, n)),

  /** The screen at a `seq` (of the newest epoch by default), or at a time in ms since 1970. */
  at: procedure
    .input(
      InTerminal.extend({
        moment: z.union([
          z.object({ atSeq: z.number().int().nonnegative(), epoch: z.string().max(64).optional() }),
          z.object({ atMs: z.number().nonnegative() }),
        ]),
      }),
    )
    .query(
      async ({ ctx, input }): Promise<ScreenReading> =>
        known(await ctx.core.screenReader.at(input.terminalId, input.moment), input.terminalId),
    ),
});

/** The answer; throws if nothing is recorded or `since` is in the future. */
function known<T extends object>(answer: T | SeqMismatch | null, terminalId: string): T {
  if (answer === null) throw notFound('recorded screen of terminal', terminalId);
  if (!('error' in answer)) return answer;
  const message = `since is ahead of the screen of "${terminalId}", which is at ${answer.seq}: read it without since`;
  throw new TRPCError({ code: 'PRECONDITION_FAILED', message });
}
