import { createTRPCClient, createWSClient, type TRPCClient, wsLink } from '@trpc/client';
import WebSocket from 'ws';
import type { AppRouter } from '../../src-main/api/appRouter.ts';
import type { StreamItem } from '../../src-main/contract/terminal.ts';
import { ServedApp } from '../support/WebApp.ts';

const SIZE = { cols: 120, rows: 40 };

/** The built app with its web front in its own process, and one client on its WebSocket. The caller disposes it. */
export class ServedCore {
  readonly #app: ServedApp;
  readonly #client: ReturnType<typeof createWSClient>;
  /** A connection without tRPC's client, which delays each message by a timer. */
  readonly #keys: WebSocket;
  #keyCount = 0;
  readonly api: TRPCClient<AppRouter>;

  private constructor(app: ServedApp, token: string) {
    this.#app = app;
    const headers = { Authorization: `Bearer ${token}` };
    this.#keys = new WebSocket(`${new URL(app.url).origin.replace('http', 'ws')}/trpc`, { headers });
    class AuthorizedSocket extends WebSocket {
      constructor(url: string) {
        super(url, { headers });
      }
    }
    this.#client = createWSClient({
      url: `${new URL(app.url).origin.replace('http', 'ws')}/trpc`,
      WebSocket: AuthorizedSocket as unknown as typeof globalThis.WebSocket,
    });
    this.api = createTRPCClient<AppRouter>({ links: [wsLink({ client: this.#client })] });
  }

  static async start(): Promise<ServedCore> {
    const app = await new ServedApp().start();
    const url = new URL(app.url);
    const response = await fetch(new URL('/api/exchange', url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code: url.hash.slice(1) }),
    });
    const { token } = (await response.json()) as { token: string };
    return new ServedCore(app, token);
  }

  /** Opens a terminal in `cwd` or the home folder; resolves with its id when its shell is at a prompt. */
  async open(cwd?: string): Promise<string> {
    const { id } = await this.api.terminal.open.mutate({ ...SIZE, shell: 'bash', ...(cwd !== undefined && { cwd }) });
    await new Promise<void>((resolve, reject) => {
      const { unsubscribe } = this.api.terminal.onChange.subscribe(undefined, {
        onData: (change) => {
          const views = change.type === 'all' ? change.terminals : change.type === 'changed' ? [change.terminal] : [];
          if (!views.some((view) => view.id === id && view.atPrompt)) return;
          queueMicrotask(() => unsubscribe());
          resolve();
        },
        onError: reject,
      });
    });
    return id;
  }

  /** Sends a key as a tRPC message. */
  press(id: string, data: string): void {
    const params = { path: 'terminal.write', input: { id, data } };
    this.#keys.send(JSON.stringify({ id: ++this.#keyCount, method: 'mutation', params }));
  }

  /** Views a terminal as a window does, and acknowledges every piece. */
  view(id: string, listen: (item: StreamItem) => void): { unsubscribe(): void } {
    return this.api.terminal.stream.subscribe(
      { id, viewerId: 'bench' },
      {
        onData: (item) => {
          listen(item);
          if (item.type !== 'bytes') return;
          const offset = item.offset + Buffer.byteLength(item.data, 'base64');
          void this.api.terminal.ack.mutate({ id, viewerId: 'bench', offset });
        },
      },
    );
  }

  async dispose(): Promise<void> {
    await this.#client.close();
    this.#keys.close();
    await this.#app.dispose();
  }
}
