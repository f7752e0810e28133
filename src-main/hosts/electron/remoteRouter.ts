import { getUntypedClient, TRPCClientError } from '@trpc/client';
import { TRPCError } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { z } from 'zod';
import { type AppRouter, appRouter } from '../../api/appRouter.ts';
import type { CoreConnection } from '../web/connectCore.ts';

interface CallOptions {
  getRawInput(): Promise<unknown>;
  signal?: AbortSignal;
}
type Type = 'query' | 'mutation' | 'subscription';
type Procedure = ((options: CallOptions) => Promise<unknown>) & { _def: { type: Type } };

/**
 * The API of a core in another process, in place of our own: the same paths, each passed on unchanged. The other core validates input and checks
 * rights; this code knows no procedure.
 */
export function remoteRouter(connection: Pick<CoreConnection, 'api' | 'lost'>): AppRouter {
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>).map(
    ([path, { _def }]) => [path, Object.assign(passOn(connection, path, _def.type), { _def })],
  );
  return { ...appRouter, _def: { ...appRouter._def, procedures: Object.fromEntries(procedures) } };
}

function passOn({ api, lost }: Pick<CoreConnection, 'api' | 'lost'>, path: string, type: Type) {
  const client = getUntypedClient(api);
  return async ({ getRawInput, signal }: CallOptions): Promise<unknown> => {
    const input = await getRawInput();
    if (type === 'subscription')
      return observable<unknown, TRPCError>((listener) => {
        const { next: onData, complete: onComplete } = listener;
        const running = client.subscription(path, input, {
          onData,
          onComplete,
          onError: (error) => listener.error(asRefusal(error)),
        });
        return () => running.unsubscribe();
      });
    const options = signal && { signal };
    const asked = type === 'query' ? client.query(path, input, options) : client.mutation(path, input, options);
    try {
      return await Promise.race([asked, lost]);
    } catch (error) {
      throw asRefusal(error);
    }
  };
}

const Refusal = z.object({ code: z.string() });

/** Turns the other core's refusal into ours: the page distinguishes refusals by `code`. */
function asRefusal(error: unknown): TRPCError {
  const data = Refusal.safeParse(error instanceof TRPCClientError ? error.data : null);
  const code = (data.data?.code ?? 'INTERNAL_SERVER_ERROR') as TRPCError['code'];
  return new TRPCError({ code, message: error instanceof Error ? error.message : String(error) });
}
