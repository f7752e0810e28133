import { z } from 'zod';
import { TerminalId } from '../contract/ids.ts';
import type { NotificationChange } from '../contract/window/notification.ts';
import { procedure, router } from './trpc.ts';

export const notificationRouter = router({
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<NotificationChange> {
    yield* ctx.core.notifications.follow(signal);
  }),

  /** Marks one, those of one terminal, or all as read. */
  read: procedure
    .input(z.object({ seq: z.number().int().optional(), terminalId: z.optional(TerminalId) }))
    .mutation(({ ctx, input }): void => ctx.core.notifications.read(input)),
});
