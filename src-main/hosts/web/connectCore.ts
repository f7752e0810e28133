import { createTRPCClient, createWSClient, type TRPCClient, wsLink } from '@trpc/client';
import WebSocket from 'ws';
import type { AppRouter } from '../../api/appRouter.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';
import { type CoreAddress, FRONT_HEADER } from './coreAddress.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** The largest answer is a page of 10,000 blocks. A core of another machine must not fill our memory with one. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface CoreConnection extends IDisposable {
  api: TRPCClient<AppRouter>;
  /**
   * Rejects if the connection fails or ends before `dispose`. One try is enough: the caller needs an answer now. A pending call may stay open, so race
   * it against this.
   */
  lost: Promise<never>;
}

/** The running core's API over its Unix socket, with the rights of that front. The caller disposes it. */
export function connectCore({ socketPath, token }: CoreAddress, front: Front = 'cli'): CoreConnection {
  class LocalSocket extends WebSocket {
    constructor() {
      super(`ws+unix://${socketPath}:/trpc`, socketOptions(token, front));
    }
  }
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => undefined); // nobody has to listen
  const lose = (): void => {
    reject(new Error(`The core at ${socketPath} does not answer`));
    detach('connectCore', client.close());
  };
  const client = createWSClient({
    url: 'ws://local',
    WebSocket: LocalSocket as unknown as typeof globalThis.WebSocket,
    onError: lose,
    onClose: lose,
  });
  const api = createTRPCClient<AppRouter>({ links: [wsLink({ client })] });
  return { api, lost, dispose: () => detach('connectCore', client.close()) };
}

type Front = 'cli' | 'electron' | 'machine';

export function socketOptions(token: string, front: Front): WebSocket.ClientOptions {
  return {
    headers: { Authorization: `Bearer ${token}`, [FRONT_HEADER]: front },
    handshakeTimeout: CONNECT_TIMEOUT_MS,
    maxPayload: MAX_ANSWER_BYTES,
  };
}
