import { type Clock, later } from '../util/Clock.ts';
import type { RemoteApi } from './RemoteApi.ts';
import { watchSleep } from './watchSleep.ts';

const PING_MS = 5_000;
/** A core that owes an answer for this long is shown as slow. */
const SLOW_MS = 3_000;
/**
 * After this time without an answer and without a byte of any kind, the connection counts as lost. A dead line is found sooner by ssh, whose own
 * keep-alive is answered by sshd: this one is for a core that hangs, and must leave time to one that is only starved.
 */
const SILENT_MS = 60_000;
/** After this machine slept, the connection is usually dead, so a shorter timeout finds out sooner. */
const AWAKE_TIMEOUT_MS = 2_000;
/** Silence is counted in steps of this length, between which answers are read: after a pause of this process they are still unread. */
const STEP_MS = 250;
/** Number of latest round trips for the median; a single slow one is not significant. */
const KEPT = 5;

/** What is known about a line between its pings. */
export interface Liveness {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Bytes received so far: one that grows is alive, whatever it says. */
  heardBytes(): number;
  /** A ping was answered: the latency in ms. */
  onLatency(ms: number): void;
  /** The answer to a ping is late. */
  onSlow(): void;
}

/**
 * Measures the latency until a line is silent (`silent`), or a ping cannot be sent or fails, or `signal` aborts (`failed`). Pings at once after
 * this machine slept. Never rejects.
 */
export async function pingUntilSilent(
  api: RemoteApi,
  clock: Clock,
  { signal, heardBytes, onLatency, onSlow }: Liveness,
): Promise<'silent' | 'failed'> {
  let sleeps = 0;
  let awoke = Promise.withResolvers<void>();
  const watching = watchSleep(clock, (hasSlept) => {
    if (!hasSlept) return;
    sleeps += 1;
    awoke.resolve();
  });
  let last: number[] = [];
  let timeoutMs = SILENT_MS;
  while (!signal.aborted) {
    let isWaiting = true;
    const sleepsBefore = sleeps;
    let [limitMs, quietMs, owedMs, known] = [timeoutMs, 0, 0, heardBytes()];
    const silence = async (): Promise<'silent'> => {
      while (quietMs < limitMs && isWaiting && !signal.aborted) {
        await later(clock, STEP_MS, signal);
        const isAwake = sleeps > sleepsBefore && limitMs !== AWAKE_TIMEOUT_MS;
        if (isAwake) limitMs = AWAKE_TIMEOUT_MS;
        quietMs = heardBytes() === known && !isAwake ? quietMs + STEP_MS : 0;
        known = heardBytes();
        owedMs += STEP_MS;
        if (owedMs === SLOW_MS && isWaiting) onSlow();
      }
      return 'silent';
    };
    const fromMs = clock.monotonicMs();
    const answer = api.call('query', 'machine.ping', undefined).then(
      () => 'answered' as const,
      () => 'failed' as const,
    );
    const outcome = await Promise.race([answer, silence()]);
    isWaiting = false;
    if (signal.aborted) break;
    if (outcome !== 'answered') {
      watching.dispose();
      return outcome;
    }
    last = [...last, clock.monotonicMs() - fromMs].slice(-KEPT);
    const middle = last.toSorted((a, b) => a - b)[Math.floor(last.length / 2)] ?? 0;
    onLatency(Math.round(middle * 10) / 10);
    awoke = Promise.withResolvers();
    timeoutMs = await Promise.race([
      later(clock, PING_MS, signal).then(() => SILENT_MS),
      awoke.promise.then(() => AWAKE_TIMEOUT_MS),
    ]);
  }
  watching.dispose();
  return 'failed';
}
