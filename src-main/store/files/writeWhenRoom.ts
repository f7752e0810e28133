import type { Clock } from '../../util/Clock.ts';
import { type IDisposable, toDisposable } from '../../util/Disposables.ts';
import { isNoRoom } from './Disk.ts';

const RETRY_MS = 2_000;

/**
 * Runs `write` now, and on a full disk again every two seconds until there is room; the caller goes on meanwhile. Disposing it
 * gives up. Rejects for any other refusal of the first try.
 */
export async function writeWhenRoom(clock: Clock, write: () => Promise<void>): Promise<IDisposable> {
  let waiting: IDisposable | null = null;
  let isOver = false;
  const again = (): void => {
    waiting = clock.after(RETRY_MS, () => {
      if (!isOver) write().catch(again); // any error retries: the first one was a full disk
    });
  };
  await write().catch((error: unknown) => {
    if (!isNoRoom(error)) throw error;
    again();
  });
  return toDisposable(() => {
    isOver = true;
    waiting?.dispose();
  });
}
