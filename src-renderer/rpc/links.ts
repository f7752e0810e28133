import { createWSClient, type TRPCLink, wsLink } from '@trpc/client';
import { ipcLink } from 'electron-trpc/renderer';
import type { AppRouter } from '../../src-main/api/appRouter.ts';
import type { LinkState, Listen, Stop } from './Rpc.ts';
import { isRefused } from './token.ts';

/** A connection to the core, and its state. */
export interface CoreLink {
  link: TRPCLink<AppRouter>;
  /** Calls `listen` with the current state, then with each change. */
  onState(listen: Listen<LinkState>): Stop;
  close(): void;
}

/** Retries at once, then after 0.5, 1, 2, 4, 4, … seconds: on loopback, the host either answers or is restarting. */
const retryDelayMs = (attempt: number) => (attempt === 0 ? 0 : Math.min(250 * 2 ** attempt, 4000));
/** The core parses in other threads, so its main thread answers quickly; ten seconds of silence mean a dead connection. */
const KEEP_ALIVE = { enabled: true, intervalMs: 10_000, pongTimeoutMs: 10_000 };

/** A WebSocket to the page's own origin. It reconnects by itself and restarts the subscriptions. */
export function webLink(token: string): CoreLink {
  const listeners = new Set<Listen<LinkState>>();
  let state: LinkState = 'connecting';
  const put = (next: LinkState) => {
    if (next === state) return;
    state = next;
    for (const listen of listeners) listen(next);
  };
  const client = createWSClient({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/trpc`,
    WebSocket: withToken(token),
    retryDelayMs,
    keepAlive: KEEP_ALIVE,
    onOpen: () => put('open'),
    // Also called for a connection that was never established.
    onClose: () => {
      put(state === 'refused' ? 'refused' : 'lost');
      void isRefused(token).then((refused) => {
        if (refused && state !== 'open') put('refused');
      });
    },
  });
  return {
    link: wsLink({ client }),
    onState: (listen) => {
      listeners.add(listen);
      listen(state);
      return () => listeners.delete(listen);
    },
    close: () => void client.close(),
  };
}

/** The connection of a desktop window: the preload exposes the bridge, which lives as long as the main process. */
export function electronLink(): CoreLink {
  return {
    link: ipcLink<AppRouter>(),
    onState: (listen) => {
      listen('open');
      return () => undefined;
    },
    close: () => undefined,
  };
}

/** A WebSocket with the token as a subprotocol: a browser cannot set headers, and a URL would end up in logs. */
function withToken(token: string): typeof WebSocket {
  return class extends WebSocket {
    constructor(url: string | URL) {
      super(url, ['hansard', `token.${token}`]);
    }
  };
}
