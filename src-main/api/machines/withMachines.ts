import { z } from 'zod';
import { MERGED, type Merge } from '../../machines/merge/mergedLists.ts';
import { ownCursor } from '../../machines/merge/mergedSearch.ts';
import { routeOf } from '../../machines/merge/routes.ts';
import { type Caller, type CallOptions, passOn, type Type } from './passOn.ts';

type Procedure = ((options: CallOptions) => Promise<unknown>) & { _def: { type: Type } };
interface SomeRouter {
  _def: { procedures: unknown };
}

/** Paths handled here whatever machine the terminal is on: the layout of our own windows, and the machines themselves. */
const OWN = /^(?:workspace|machine|notification|settings|theme|telemetry)\./;

/**
 * The API of all machines: a call that names another machine, or an id of one, goes there; lists include all machines; everything else is this
 * machine's. A core that calls as a machine reaches only this machine, so calls are never passed on twice.
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
  const merge = (MERGED as Readonly<Record<string, Merge>>)[path];
  return async (options) => {
    const { ctx, signal } = options;
    if (ctx.frontend === 'machine') return own(options);
    const input = await options.getRawInput();
    const local = LOCAL[path]?.(ctx, input);
    const route = local === undefined ? routeOf(input) : null;
    if (route !== null) return passOn({ ...options, path }, own._def.type, route);
    if (merge === undefined) return own(local === undefined ? options : withInput(options, local));
    const ours = await own(withInput(options, CURSORS.has(path) ? withOwnCursor(input) : input));
    return merge({ machines: ctx.core.machines, input, signal, own: ours });
  };
}

/** Calls made here with other input; undefined if the call is for a machine or needs no change. */
const LOCAL: Readonly<Record<string, (ctx: Caller, input: unknown) => unknown>> = {
  // The person's own commands are available everywhere; a project's commands are read only from this machine's folders.
  'saved.list': (_ctx, input) => (routeOf(input) === null ? undefined : { terminalId: null }),
  // In one terminal of a machine: the merged search asks only that machine, and ends if it is not connected or the connection is lost.
  'search.find': (ctx, input) => {
    const route = routeOf(input);
    return route !== null && ctx.core.machines.find(route.key) ? input : undefined;
  },
  // The terminal that the person looks at matters to both sides: to our notifications, and to the bell and notifications there.
  'system.looksAt': (ctx, input) => {
    const route = routeOf(input);
    // Informs every machine, because one that is no longer looked at would otherwise hold back its notifications.
    for (const { api, view } of ctx.core.machines.connected) {
      const there = view.key === route?.key ? route.input : { terminalId: null };
      api?.call('mutation', 'system.looksAt', there).catch(() => undefined); // repeated at the next look
    }
    return route === null ? undefined : input;
  },
};

function withInput(options: CallOptions, input: unknown): CallOptions {
  return { ...options, getRawInput: async () => input };
}

/** Calls whose cursor is one for all machines. */
const CURSORS = new Set(['search.find', 'agent.past.page']);

const WithCursor = z.looseObject({ cursor: z.string().optional() });

function withOwnCursor(input: unknown): unknown {
  const query = WithCursor.safeParse(input).data;
  if (query?.cursor === undefined) return input;
  const { cursor, ...rest } = query;
  const own = ownCursor(cursor);
  return { ...rest, ...(own !== undefined && { cursor: own }) };
}
