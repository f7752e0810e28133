import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { SystemInfo } from '../contract/api.ts';
import type { CoreStatus } from '../contract/coreStatus.ts';
import { TerminalId } from '../contract/ids.ts';
import { OnMachine } from '../contract/machines.ts';
import type { Notice } from '../contract/notice.ts';
import { terminalLines } from '../core/terminalLines.ts';
import { type HostControl, procedure, router } from './trpc.ts';

export const systemRouter = router({
  info: procedure
    .input(OnMachine.optional())
    .query(({ ctx }): SystemInfo => ({ ...ctx.core.info, frontend: ctx.frontend })),

  /** A URL of the web front with a new one-time code. Only for the command line: a page must not create codes for others. */
  newUrl: procedure.mutation(({ ctx }): string => {
    const url = ctx.frontend === 'cli' ? ctx.core.newUrl() : null;
    if (url === null) throw new TRPCError({ code: 'FORBIDDEN', message: 'No web front to open, or not yours to open' });
    return url;
  }),

  /** The state of the core, and what would end with it. Only for the command line. */
  status: procedure.query(async ({ ctx }): Promise<CoreStatus> => {
    const { version, build = '', dataFolder } = ctx.core.info;
    const host = hostOf(ctx).status();
    return {
      pid: process.pid,
      ...{ version, build, dataFolder },
      ...host,
      waits: ctx.core.screenReader.waits,
      terminals: await terminalLines(ctx.core),
    };
  }),

  /**
   * Begins to end the core; callers wait until its lock is released. `keepsShells`: shells keep running for the next core. Only for the command line.
   */
  end: procedure
    .input(z.object({ keepsShells: z.boolean() }).optional())
    .mutation(({ ctx, input }): void => hostOf(ctx).end({ isLeft: input?.keepsShells === true })),

  /** Restarts the core with the program that is installed now; shells and agents continue. */
  restart: procedure.mutation(async ({ ctx }): Promise<void> => {
    if (!ctx.restart) throw new TRPCError({ code: 'FORBIDDEN', message: 'Only a page of this Hansard may restart it' });
    await ctx.restart();
  }),

  /** Reports the window's current theme. */
  showsTheme: procedure
    .input(z.object({ theme: z.enum(['dark', 'light']) }))
    .mutation(({ ctx, input }) => ctx.core.look.shows(input.theme)),

  /** Reports the terminal that the person looks at in this window; null when another program has the focus. */
  looksAt: procedure.input(z.object({ terminalId: z.nullable(TerminalId) })).mutation(({ ctx, input }) => {
    ctx.core.outside.focus.tell(ctx.clientId, input.terminalId);
    ctx.core.notifications.looksAt(ctx.clientId, input.terminalId);
  }),

  /** Yields the current notices, then each new one. A window that may not restart the core gets no offer to do so. */
  onNotice: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<Notice> {
    for await (const notice of ctx.core.notices.follow(signal))
      yield ctx.restart ? notice : { ...notice, offers: undefined };
  }),
});

function hostOf({ host }: { host?: HostControl | undefined }): HostControl {
  if (!host) throw new TRPCError({ code: 'FORBIDDEN', message: 'Only the command line may ask this' });
  return host;
}
