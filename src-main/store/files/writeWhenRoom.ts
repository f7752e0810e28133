import type { Clock } from '../../util/Clock.ts';
import { type IDisposable, toDisposable } from '../../util/Disposables.ts';
import { isNoRoom } from './Disk.ts';

const RETRY_MS = 2_000;

/**
 * Runs `write`; on a full disk repeats it every two seconds until there is room, while the caller continues. Disposing the result
 * stops the retries. Rejects if the first try fails for any other reason.
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
