import type { Clock } from '../util/Clock.ts';
import type { RemoteApi } from './RemoteApi.ts';
import { watchSleep } from './watchSleep.ts';

/** Interval of pings, and the timeout after which the connection counts as lost: within the time in which ssh itself notices. */
const PING_MS = 5_000;
const PING_TIMEOUT_MS = 15_000;
/** After this machine slept, the connection is usually dead, so a shorter timeout finds out sooner. */
const AWAKE_TIMEOUT_MS = 2_000;
/** Silence is counted in steps of this length, between which answers are read: after a pause of this process they are still unread. */
const STEP_MS = 250;
/** Number of latest round trips for the median; a single slow one is not significant. */
const KEPT = 5;

/**
 * Measures the latency in ms until a ping has no answer (`silent`) or cannot be sent or fails (`failed`). Pings at once after this machine
 * slept. Never rejects.
 */
export async function pingUntilSilent(
  api: RemoteApi,
  clock: Clock,
  onLatency: (ms: number) => void,
): Promise<'silent' | 'failed'> {
  let awoke = Promise.withResolvers<void>();
  const watching = watchSleep(clock, (hasSlept) => {
    if (hasSlept) awoke.resolve();
  });
  const later = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      clock.after(ms, resolve);
    });
  let last: number[] = [];
  let timeoutMs = PING_TIMEOUT_MS;
  for (;;) {
    let isWaiting = true;
    const quiet = async (ms: number): Promise<void> => {
      for (let passedMs = 0; passedMs < ms && isWaiting; passedMs += STEP_MS) await later(STEP_MS);
    };
    const fromMs = clock.monotonicMs();
    const answer = api.call('query', 'machine.ping', undefined).then(
      () => 'answered' as const,
      () => 'failed' as const,
    );
    const silent = Promise.race([quiet(timeoutMs), awoke.promise.then(() => quiet(AWAKE_TIMEOUT_MS))]);
    const outcome = await Promise.race([answer, silent.then(() => 'silent' as const)]);
    isWaiting = false;
    if (outcome !== 'answered') {
      watching.dispose();
      return outcome;
    }
    last = [...last, clock.monotonicMs() - fromMs].slice(-KEPT);
    const middle = last.toSorted((a, b) => a - b)[Math.floor(last.length / 2)] ?? 0;
    onLatency(Math.round(middle * 10) / 10);
    awoke = Promise.withResolvers();
    timeoutMs = await Promise.race([
      later(PING_MS).then(() => PING_TIMEOUT_MS),
      awoke.promise.then(() => AWAKE_TIMEOUT_MS),
    ]);
  }
}
