import { type Clock, systemClock } from '../../util/Clock.ts';
import { type IDisposable, toDisposable } from '../../util/Disposables.ts';

/** A connection on which this much waits, and more from look to look, has a client that does not read. The largest answers are far smaller. */
export const MAX_WAITING_BYTES = 256 * 1024 * 1024;
const LOOK_MS = 1_000;

interface Client {
  readonly bufferedAmount: number;
  terminate(): void;
}

interface Clients {
  readonly clients: Iterable<Client>;
  on(event: 'connection', listener: () => void): unknown;
}

/**
 * Closes connections whose client does not read, so that a flood for a stuck window cannot fill memory. A window connects again when it runs again,
 * and asks for everything that it missed. Nothing runs while there are no clients. The caller disposes the result.
 */
export function closeStalled(sockets: Clients, clock: Clock = systemClock): IDisposable {
  let before = new Map<Client, number>();
  let timer: IDisposable | null = null;
  const look = (): void => {
    const now = new Map([...sockets.clients].map((client) => [client, client.bufferedAmount]));
    for (const [client, waiting] of now)
      if (waiting > MAX_WAITING_BYTES && waiting > (before.get(client) ?? 0)) client.terminate();
    before = now;
    timer = now.size > 0 ? clock.after(LOOK_MS, look) : null;
  };
  sockets.on('connection', () => {
    timer ??= clock.after(LOOK_MS, look);
  });
  return toDisposable(() => timer?.dispose());
}
