import { initTRPC, TRPCError } from '@trpc/server';
import type { CoreStatus } from '../contract/coreStatus.ts';
import type { PtyChatClient } from '../core/PtyChatClient.ts';

/** What the command line may ask of the process that runs the core. */
export interface HostControl {
  status(): Pick<
    CoreStatus,
    'startedMs' | 'front' | 'isBackground' | 'keepsShells' | 'origin' | 'publicOrigin' | 'connections'
  >;
  /**
   * Ends the core and its process as a signal would: programs are hung up on, and the record is closed. `isLeft`: shells in the PTY host run
   * on for the next core. Returns at once.
   */
  end(how?: { isLeft?: boolean }): void;
}

/** What every procedure is given. `clientId` is made by the host for each connection; `machine` is the core of another machine, which came by ssh. */
export interface ApiContext {
  core: PtyChatClient;
  frontend: 'web' | 'electron' | 'cli' | 'machine';
  clientId: string;
  /** Only on the local socket, and for the command line alone. */
  host?: HostControl;
}

const t = initTRPC.context<ApiContext>().create({
  // A stack trace tells the window nothing and a reader of logs too much (paths).
  errorFormatter: ({ shape }) => ({ ...shape, data: { code: shape.data.code, path: shape.data.path } }),
});

export const router = t.router;
export const procedure = t.procedure;

export function notFound(what: string, id: string): TRPCError {
  return new TRPCError({ code: 'NOT_FOUND', message: `No ${what} "${id}"` });
}
