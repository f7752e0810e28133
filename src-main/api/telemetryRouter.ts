import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { TelemetrySend, TelemetryStatus, TelemetryTest } from '../contract/telemetry.ts';
import { procedure, router } from './trpc.ts';

const HeaderName = z.string().min(1).max(100);

export const telemetryRouter = router({
  status: procedure.query(({ ctx }): TelemetryStatus => ctx.core.telemetry.status),

  /** The state, then each change of it. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<TelemetryStatus> {
    yield* ctx.core.telemetry.follow(signal);
  }),

  /** Sends one span and waits for the collector's answer. */
  test: procedure.mutation(({ ctx }): Promise<TelemetryTest> => ctx.core.telemetry.test()),

  /** Queues turns that ended since then, ms since 1970. */
  send: procedure
    .input(z.object({ sinceMs: z.number().nonnegative() }))
    .mutation(async ({ ctx, input }): Promise<TelemetrySend> => {
      try {
        return await ctx.core.telemetry.send(input.sinceMs);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new TRPCError({ code: 'PRECONDITION_FAILED', message: error.message });
      }
    }),

  /** Deletes the turns that wait, and says how many there were. */
  clear: procedure.mutation(({ ctx }): Promise<number> => ctx.core.telemetry.clear()),

  /** Null when it is kept; otherwise why not. No procedure gives a value back. */
  setHeader: procedure
    .input(z.object({ name: HeaderName, value: z.string().max(10_000) }))
    .mutation(({ ctx, input }): Promise<string | null> => ctx.core.telemetry.setHeader(input.name, input.value)),

  /** Whether it was there. */
  removeHeader: procedure
    .input(z.object({ name: HeaderName }))
    .mutation(({ ctx, input }): Promise<boolean> => ctx.core.telemetry.removeHeader(input.name)),
});
