import { initTRPC, TRPCError } from '@trpc/server';
import type { CoreStatus } from '../contract/coreStatus.ts';
import type { PtyChatClient } from '../core/PtyChatClient.ts';
import { isPartMissing, PART_MISSING } from '../util/missingPart.ts';

/** The part of the process that the command line can query and end. */
export interface HostControl {
  status(): Pick<
    CoreStatus,
    'startedMs' | 'front' | 'isBackground' | 'keepsShells' | 'origin' | 'publicOrigin' | 'connections'
  >;
  /**
   * Ends the core and its process as a signal would: hangs up on programs and closes the record. `isLeft`: shells in the PTY host keep running for
   * the next core. Returns at once.
   */
  end(how?: { isLeft?: boolean }): void;
}

/** The context of every procedure. The host creates `clientId` for each connection; `machine` is the core of another machine, connected by ssh. */
export interface ApiContext {
  core: PtyChatClient;
  frontend: 'web' | 'electron' | 'cli' | 'machine';
  clientId: string;
  /** Restarts the core as `hansard serve restart` does. Rejects if shells would end. Set for pages of the web front only. */
  restart?: () => Promise<void>;
  /** Set only on the local socket, for the command line. */
  host?: HostControl;
}

const t = initTRPC.context<ApiContext>().create({
  // A stack trace is useless to the window and reveals paths in logs.
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    ...(isPartMissing(error.cause) && { message: `${PART_MISSING.text} ${PART_MISSING.action}` }),
    data: { code: shape.data.code, path: shape.data.path },
  }),
});

export const router = t.router;
export const procedure = t.procedure;

export function notFound(what: string, id: string): TRPCError {
  return new TRPCError({ code: 'NOT_FOUND', message: `No ${what} "${id}"` });
}
