import { createWSClient, type TRPCLink, wsLink } from '@trpc/client';
import { ipcLink } from 'electron-trpc/renderer';
import type { AppRouter } from '../../src-main/api/appRouter.ts';
import type { LinkState, Listen, Stop } from './Rpc.ts';
import { isRefused } from './token.ts';

/** A way to the core, and how it is doing. */
export interface CoreLink {
  link: TRPCLink<AppRouter>;
  /** Calls `listen` with the present state, then with each change. */
  onState(listen: Listen<LinkState>): Stop;
  close(): void;
}

/** First retry at once, then 0.5, 1, 2, 4, 4, … seconds: loopback either answers or the host is being started again. */
const retryDelayMs = (attempt: number) => (attempt === 0 ? 0 : Math.min(250 * 2 ** attempt, 4000));
/** The core parses elsewhere, so its main thread answers quickly; ten seconds of silence is a dead connection. */
const KEEP_ALIVE = { enabled: true, intervalMs: 10_000, pongTimeoutMs: 10_000 };

/** One WebSocket on the page's own origin. It connects again by itself; subscriptions are then sent again. */
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
    // Also called for a connection that never came about.
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

/** The desktop window's way: the preload exposes the bridge, and it lives as long as the main process. */
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

/** A WebSocket that says who it is by subprotocol: a browser cannot set headers, and an address would end up in logs. */
function withToken(token: string): typeof WebSocket {
  return class extends WebSocket {
    constructor(url: string | URL) {
      super(url, ['hansard', `token.${token}`]);
    }
  };
}
