import { TRPCError } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { z } from 'zod';
import type { MachineLink } from '../../machines/MachineLink.ts';
import { MachineError } from '../../machines/RemoteApi.ts';
import type { WritePath } from '../../machines/RemoteKeys.ts';
import type { ApiContext } from '../trpc.ts';
import { MERGED } from './mergedLists.ts';
import { ownCursor } from './mergedSearch.ts';
import { answerOf, type Route, routeOf } from './routes.ts';

interface CallOptions {
  ctx: ApiContext;
  path: string;
  getRawInput(): Promise<unknown>;
  signal?: AbortSignal;
}
type Type = 'query' | 'mutation' | 'subscription';
type Procedure = ((options: CallOptions) => Promise<unknown>) & { _def: { type: Type } };
interface SomeRouter {
  _def: { procedures: unknown };
}

/** Handled here whatever machine the terminal is on: the arrangement of our own windows, and machines themselves. */
const OWN = /^(?:workspace|machine|notification|settings|theme|telemetry)\./;

/**
 * The API of all machines: a call that names another machine or a thing of it goes there, lists have what all machines have, and everything else is this
 * machine's. A core that calls as a machine gets this machine's alone, so calls never travel on.
 */
export function withMachines<R extends SomeRouter>(router: R): R {
  const procedures = Object.entries(router._def.procedures as Record<string, Procedure>).map(([path, own]) => [
    path,
    Object.assign(placed(path, own), { _def: own._def }),
  ]);
  return { ...router, _def: { ...router._def, procedures: Object.fromEntries(procedures) } };
}

function placed(path: string, own: Procedure): (options: CallOptions) => Promise<unknown> {
  if (OWN.test(path)) return own;
  const merge = MERGED[path];
  return async (options) => {
    const { ctx, signal } = options;
    if (ctx.frontend === 'machine') return own(options);
    const input = await options.getRawInput();
    const local = LOCAL[path]?.(ctx, input);
    const route = local === undefined ? routeOf(input) : null;
    if (route !== null) return passOn({ ...options, path }, own._def.type, route);
    if (merge === undefined) return own(local === undefined ? options : withInput(options, local));
    const ours = await own(withInput(options, path === 'search.find' ? withOwnCursor(input) : input));
    return merge({ ctx, input, signal, own: ours as AsyncIterable<unknown> });
  };
}

/** Calls that are made here with another input; undefined: it is for a machine, or needs no change. */
const LOCAL: Readonly<Record<string, (ctx: ApiContext, input: unknown) => unknown>> = {
  // The person's own commands serve everywhere; those of a project are read from this machine's folders alone.
  'saved.list': (_ctx, input) => (routeOf(input) === null ? undefined : { terminalId: null }),
  // Where the person looks concerns both: our notifications, and the bell and notifications there.
  'system.looksAt': (ctx, input) => {
    const route = routeOf(input);
    const link = route && ctx.core.machines.find(route.key);
    link?.api?.call('mutation', 'system.looksAt', route?.input).catch(() => undefined); // it is told again at the next look
    return route === null ? undefined : input;
  },
};

function withInput(options: CallOptions, input: unknown): CallOptions {
  return { ...options, getRawInput: async () => input };
}

const WithCursor = z.looseObject({ cursor: z.string().optional() });

function withOwnCursor(input: unknown): unknown {
  const query = WithCursor.safeParse(input).data;
  if (query?.cursor === undefined) return input;
  const { cursor, ...rest } = query;
  const own = ownCursor(cursor);
  return { ...rest, ...(own !== undefined && { cursor: own }) };
}

const Keys = z.object({
  ...{ id: z.string().max(64), data: z.string().max(256 * 1024) },
  ...{ writer: z.string().max(64).optional(), number: z.int().min(0).optional() },
});

async function passOn(options: CallOptions, type: Type, { key, input }: Route): Promise<unknown> {
  const { ctx, path, signal } = options;
  const link = ctx.core.machines.find(key);
  if (!link) throw new TRPCError({ code: 'NOT_FOUND', message: `The machine ${key} is not in the list any more` });
  if (type === 'subscription') return following(link, path, input);
  try {
    if (path === 'terminal.write' || path === 'terminal.writeBinary') return await typed(ctx, link, path, input);
    return answerOf(key, path, await link.call(type, path, input, signal));
  } catch (error) {
    throw asRefusal(error);
  }
}

/** Puts a window's keys in order here; the link numbers them for the machine, over cuts too. */
async function typed(ctx: ApiContext, link: MachineLink, path: WritePath, input: unknown): Promise<void> {
  const { id, data, writer, number } = Keys.parse(input);
  const isNumbered = writer !== undefined && number !== undefined;
  const ready = isNumbered ? ctx.core.typed.take(writer, number, data) : [data];
  const pieces = ready.filter((piece): piece is string => typeof piece === 'string' && piece !== '');
  await Promise.all(pieces.map((piece) => link.write(id, path, piece)));
}

function following(link: MachineLink, path: string, input: unknown): unknown {
  return observable<unknown, TRPCError>((listener) => {
    const running = link.subscribe(path, input, {
      onData: (value) => listener.next(answerOf(link.view.key, path, value)),
      onError: (error) => listener.error(asRefusal(error)),
      onComplete: () => listener.complete(),
    });
    return () => running.unsubscribe();
  });
}

const Refusal = z.object({ data: z.object({ code: z.string() }) });
const CODES = new Set<string>([
  ...['BAD_REQUEST', 'NOT_FOUND', 'FORBIDDEN', 'UNAUTHORIZED', 'PRECONDITION_FAILED', 'PAYLOAD_TOO_LARGE', 'TIMEOUT'],
  ...['CONFLICT', 'INTERNAL_SERVER_ERROR'],
]);
const MAX_MESSAGE_CHARS = 2_000;

/** The machine's refusal as if it were ours. */
function asRefusal(error: unknown): TRPCError {
  if (error instanceof MachineError) return new TRPCError({ code: 'PRECONDITION_FAILED', message: error.message });
  const given = Refusal.safeParse(error).data?.data.code ?? '';
  const code = (CODES.has(given) ? given : 'INTERNAL_SERVER_ERROR') as TRPCError['code'];
  const message = error instanceof Error ? error.message : String(error);
  return new TRPCError({ code, message: message.slice(0, MAX_MESSAGE_CHARS) });
}
