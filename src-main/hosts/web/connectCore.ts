import type { Duplex } from 'node:stream';
import {
  createTRPCClient,
  createWSClient,
  getUntypedClient,
  type TRPCClient,
  TRPCClientError,
  wsLink,
} from '@trpc/client';
import WebSocket from 'ws';
import type { AppRouter } from '../../api/appRouter.ts';
import { MachineError, type RemoteApi } from '../../machines/RemoteApi.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';
import { type CoreAddress, FRONT_HEADER } from './coreAddress.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** The largest answer is a page of 10,000 blocks. A core of another machine must not fill our memory with one. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Once is enough: whoever asks wants an answer now, and `lost` tells that there is none. */
const RETRY_DELAY_MS = 60_000;

export interface CoreConnection extends IDisposable {
  api: TRPCClient<AppRouter>;
  /**
   * Rejects when the connection cannot be made or ends before `dispose`. A call that is under way then stays open (the
   * client would wait for a new connection), so it is raced against this.
   */
  lost: Promise<never>;
}

/** The running core's API over its Unix socket, with the rights of that front. The caller disposes it. */
export function connectCore(address: CoreAddress, front: Front = 'cli'): CoreConnection {
  return connectBy(address, { front, url: `ws+unix://${address.socketPath}:/trpc` });
}

/** The API of a core at the other end of a pipe. The caller disposes it. */
export function openRemoteApi(pipe: Duplex, token: string): RemoteApi {
  let isTaken = false;
  const createConnection = (): Duplex => {
    if (isTaken) throw new Error('the pipe is broken');
    isTaken = true;
    return pipe;
  };
  const connection = connectBy(
    { token, socketPath: 'the other machine' },
    { front: 'machine', url: 'ws://machine/trpc', createConnection },
  );
  const client = getUntypedClient(connection.api);
  const cut = (): MachineError => new MachineError('cut', 'the connection was lost');
  const lost = connection.lost.catch(() => {
    throw cut();
  });
  lost.catch(() => undefined); // nobody has to listen
  let isOver = false;
  const isOfTheLine = (error: unknown): boolean => !(error instanceof TRPCClientError && error.data);
  return {
    call: (type, path, input, signal) => {
      const options = signal && { signal };
      const asked = type === 'query' ? client.query(path, input, options) : client.mutation(path, input, options);
      return asked.catch((error: unknown) => {
        throw isOfTheLine(error) ? cut() : error;
      });
    },
    subscribe: (path, input, { onData, onError, onComplete }) =>
      client.subscription(path, input, {
        onData,
        onComplete: () => {
          if (!isOver) onComplete(); // the client completes everything when it is closed
        },
        onError: (error) => {
          if (!isOfTheLine(error)) onError(error);
        },
      }),
    lost,
    dispose: () => {
      isOver = true;
      connection.dispose();
      pipe.destroy();
    },
  };
}

type Front = 'cli' | 'electron' | 'machine';

interface Way {
  readonly front: Front;
  readonly url: string;
  readonly createConnection?: () => Duplex;
}

function connectBy(
  to: Pick<CoreAddress, 'token' | 'socketPath'>,
  { front, url, createConnection }: Way,
): CoreConnection {
  class LocalSocket extends WebSocket {
    constructor() {
      super(url, {
        headers: { Authorization: `Bearer ${to.token}`, [FRONT_HEADER]: front },
        handshakeTimeout: CONNECT_TIMEOUT_MS,
        maxPayload: MAX_ANSWER_BYTES,
        ...(createConnection && { createConnection: createConnection as never }),
      });
    }
  }
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => undefined); // nobody has to listen
  const lose = (): void => reject(new Error(`The core at ${to.socketPath} does not answer`));
  const client = createWSClient({
    url: 'ws://local',
    WebSocket: LocalSocket as unknown as typeof globalThis.WebSocket,
    retryDelayMs: () => RETRY_DELAY_MS,
    onError: lose,
    onClose: lose,
  });
  const api = createTRPCClient<AppRouter>({ links: [wsLink({ client })] });
  return { api, lost, dispose: () => detach('connectCore', client.close()) };
}
