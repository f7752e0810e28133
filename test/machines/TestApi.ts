import { callTRPCProcedure } from '@trpc/server';
import { isObservable, observableToAsyncIterable } from '@trpc/server/observable';
import { appRouter } from '../../src-main/api/appRouter.ts';
import type { ApiContext } from '../../src-main/api/trpc.ts';
import type { PtyChatClient } from '../../src-main/core/PtyChatClient.ts';

/** The API as a window of this core calls it. */
export class TestApi {
  readonly #ctx: ApiContext;
  readonly #stop = new AbortController();

  constructor(core: PtyChatClient, frontend: ApiContext['frontend'] = 'web') {
    this.#ctx = { core, frontend, clientId: 'window' };
  }

  query<T>(path: string, input?: unknown): Promise<T> {
    return this.#call('query', path, input) as Promise<T>;
  }

  mutate<T>(path: string, input?: unknown): Promise<T> {
    return this.#call('mutation', path, input) as Promise<T>;
  }

  /** Collects what a subscription yields until the API is disposed. */
  follow<T>(path: string, input?: unknown, onData: (value: T) => void = () => undefined): T[] {
    const seen: T[] = [];
    const run = async (): Promise<void> => {
      for await (const value of await this.#values<T>(path, input)) {
        seen.push(value);
        onData(value);
      }
    };
    run().catch((error: unknown) => {
      if (!this.#stop.signal.aborted) throw error;
    });
    return seen;
  }

  /** All values that a subscription yields until it ends. */
  async all<T>(path: string, input?: unknown): Promise<T[]> {
    const seen: T[] = [];
    for await (const value of await this.#values<T>(path, input)) seen.push(value);
    return seen;
  }

  dispose(): void {
    this.#stop.abort();
  }

  async #values<T>(path: string, input: unknown): Promise<AsyncIterable<T>> {
    const result = await this.#call('subscription', path, input);
    if (!isObservable(result)) return result as AsyncIterable<T>;
    return observableToAsyncIterable<T>(result as never, this.#stop.signal);
  }

  #call(type: 'query' | 'mutation' | 'subscription', path: string, input: unknown): Promise<unknown> {
    return callTRPCProcedure({
      ...{ router: appRouter, ctx: this.#ctx, path, type, getRawInput: async () => input, signal: this.#stop.signal },
      batchIndex: 0,
    });
  }
}
