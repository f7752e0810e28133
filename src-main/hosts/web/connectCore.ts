import { createTRPCClient, createWSClient, type TRPCClient, wsLink } from '@trpc/client';
import WebSocket from 'ws';
import type { AppRouter } from '../../api/appRouter.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { CoreAddress } from './coreAddress.ts';

const CONNECT_TIMEOUT_MS = 3_000;

/** The running core's API over its Unix socket. The caller disposes it. */
export function connectCore(address: CoreAddress): IDisposable & { api: TRPCClient<AppRouter> } {
  class LocalSocket extends WebSocket {
    constructor() {
      super(`ws+unix://${address.socketPath}:/trpc`, {
        headers: { Authorization: `Bearer ${address.token}` },
        handshakeTimeout: CONNECT_TIMEOUT_MS,
      });
    }
  }
  const client = createWSClient({
    url: 'ws://local',
    WebSocket: LocalSocket as unknown as typeof globalThis.WebSocket,
    retryDelayMs: () => 60_000,
  });
  const api = createTRPCClient<AppRouter>({ links: [wsLink({ client })] });
  return { api, dispose: () => void client.close() };
}
