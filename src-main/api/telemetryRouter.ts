import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { TelemetrySend, TelemetryStatus, TelemetryTest } from '../contract/telemetry.ts';
import { procedure, router } from './trpc.ts';

const HeaderName = z.string().min(1).max(100);

export const telemetryRouter = router({
  status: procedure.query(({ ctx }): TelemetryStatus => ctx.core.telemetry.status),

  /** Reports the state, then each change. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<TelemetryStatus> {
    yield* ctx.core.telemetry.follow(signal);
  }),

  /** Sends one span and waits for the collector's answer. */
  test: procedure.mutation(({ ctx }): Promise<TelemetryTest> => ctx.core.telemetry.test()),

  /** Queues turns that ended since `sinceMs`, ms since 1970. */
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

  /** Deletes the waiting turns and returns their number. */
  clear: procedure.mutation(({ ctx }): Promise<number> => ctx.core.telemetry.clear()),

  /** Sets a header. Returns null, or the reason why it was not set. No procedure returns the value of a header. */
  setHeader: procedure
    .input(z.object({ name: HeaderName, value: z.string().max(10_000) }))
    .mutation(({ ctx, input }): Promise<string | null> => ctx.core.telemetry.setHeader(input.name, input.value)),

  /** Removes a header; false if it was not set. */
  removeHeader: procedure
    .input(z.object({ name: HeaderName }))
    .mutation(({ ctx, input }): Promise<boolean> => ctx.core.telemetry.removeHeader(input.name)),
});
