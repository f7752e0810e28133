import { TRPCError } from '@trpc/server';
import type { SystemInfo } from '../contract/api.ts';
import type { Notice } from '../contract/notice.ts';
import { procedure, router } from './trpc.ts';

export const systemRouter = router({
  info: procedure.query(({ ctx }): SystemInfo => ({ ...ctx.core.info, frontend: ctx.frontend })),

  /** A URL of the web front with a fresh one-time code. Only for the command line: a page must not mint keys for others. */
  newUrl: procedure.mutation(({ ctx }): string => {
    const url = ctx.frontend === 'cli' ? ctx.core.newUrl() : null;
    if (url === null) throw new TRPCError({ code: 'FORBIDDEN', message: 'No web front to open, or not yours to open' });
    return url;
  }),

  /** What is wrong now, then what happens. */
  onNotice: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<Notice> {
    yield* ctx.core.notices.follow(signal);
  }),
});
