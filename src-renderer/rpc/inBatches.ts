import type { Listen, Stop } from './Rpc.ts';

/** So many values are passed on at once in each such time. More come from programs and machines that flood. */
const AT_ONCE = 20;
const BATCH_MS = 250;

/**
 * Starts a subscription whose values are passed on at once, but those of a flood together at the end of a short time: the window draws after each
 * task, and a task for each value would leave it no time for the person. Returns a function that stops it.
 */
export function inBatches<T>(listen: Listen<T>, start: (paced: Listen<T>) => Stop): Stop {
  let waiting: T[] = [];
  let count = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (): void => {
    const batch = waiting;
    waiting = [];
    count = batch.length > AT_ONCE ? AT_ONCE : 0; // a flood that goes on comes in batches only
    timer = batch.length === 0 ? undefined : setTimeout(next, BATCH_MS);
    for (const value of batch) listen(value);
  };
  const stop = start((value) => {
    timer ??= setTimeout(next, BATCH_MS);
    count += 1;
    if (count > AT_ONCE || waiting.length > 0) waiting.push(value);
    else listen(value);
  });
  return () => {
    clearTimeout(timer);
    waiting = [];
    stop();
  };
}
