import { type Clock, systemClock } from '../../util/Clock.ts';
import { type IDisposable, toDisposable } from '../../util/Disposables.ts';

/** A connection on which this much waits, and more from look to look, has a client that does not read. The largest answers are far smaller. */
export const MAX_WAITING_BYTES = 256 * 1024 * 1024;
const LOOK_MS = 1_000;

interface Client {
  readonly bufferedAmount: number;
  terminate(): void;
}

/**
 * Closes connections whose client does not read, so that a flood for a stuck window cannot fill memory. A window connects again when it runs again,
 * and asks for everything that it missed. The caller disposes the result.
 */
export function closeStalled(clients: Iterable<Client>, clock: Clock = systemClock): IDisposable {
  let before = new Map<Client, number>();
  const look = (): void => {
    const now = new Map([...clients].map((client) => [client, client.bufferedAmount]));
    for (const [client, waiting] of now)
      if (waiting > MAX_WAITING_BYTES && waiting > (before.get(client) ?? 0)) client.terminate();
    before = now;
    timer = clock.after(LOOK_MS, look);
  };
  let timer = clock.after(LOOK_MS, look);
  return toDisposable(() => timer.dispose());
}
