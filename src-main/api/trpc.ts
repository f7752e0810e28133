import { initTRPC, TRPCError } from '@trpc/server';
import type { PtyChatClient } from '../session/PtyChatClient.ts';

/** What every procedure is given. `clientId` is made by the host for each connection. */
export interface ApiContext {
  core: PtyChatClient;
  frontend: 'web' | 'electron' | 'cli';
  clientId: string;
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
