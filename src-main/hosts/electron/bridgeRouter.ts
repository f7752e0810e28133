import { type AppRouter, appRouter } from '../../api/appRouter.ts';

type Call = (options: unknown) => Promise<unknown>;
type Procedure = Call & { _def: { type: 'query' | 'mutation' | 'subscription' } };

/**
 * The API in a form that trpc-electron 0.1.2 can serve. That version adds `Symbol.asyncDispose` to the iterator of every subscription and throws if
 * it already exists, as in native generators since Node 24. A plain iterator avoids this.
 */
export function bridgeRouter(): AppRouter {
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>).map(
    ([path, procedure]) => [path, procedure._def.type === 'subscription' ? withPlainResult(procedure) : procedure],
  );
  return { ...appRouter, _def: { ...appRouter._def, procedures: Object.fromEntries(procedures) } };
}

function withPlainResult(procedure: Procedure): Procedure {
  const call: Call = async (options) => {
    const result = await procedure(options);
    return isAsyncIterable(result) ? plainIterable(result) : result;
  };
  return Object.assign(call, { _def: procedure._def });
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The same values, errors and end, with only the three methods that a reader needs. */
export function plainIterable<T>(source: AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = source[Symbol.asyncIterator]();
      return {
        next: () => iterator.next(),
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
