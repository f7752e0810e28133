import type { Clock } from '../util/Clock.ts';
import type { RemoteApi } from './RemoteApi.ts';
import type { SshEnd } from './ssh/explainEnd.ts';

/** A line is looked at so often, and given up when the answer takes so long: within the time in which ssh itself notices. */
const PING_MS = 5_000;
const PING_TIMEOUT_MS = 15_000;
/** The median of the last round trips; one slow one says nothing about the line. */
const KEPT = 5;

/** Measures a line, ms, until it does not answer any more. Never rejects. */
export async function pingUntilSilent(api: RemoteApi, clock: Clock, onLatency: (ms: number) => void): Promise<SshEnd> {
  const later = (ms: number): Promise<false> =>
    new Promise((resolve) => {
      clock.after(ms, () => resolve(false));
    });
  let last: number[] = [];
  for (;;) {
    const fromMs = clock.monotonicMs();
    const answer = api.call('query', 'machine.ping', undefined).then(() => true);
    const isAnswered = await Promise.race([answer, later(PING_TIMEOUT_MS)]).catch(() => false);
    if (!isAnswered) return { reason: 'The line went silent.', isFinal: false };
    last = [...last, clock.monotonicMs() - fromMs].slice(-KEPT);
    const middle = last.toSorted((a, b) => a - b)[Math.floor(last.length / 2)] ?? 0;
    onLatency(Math.round(middle * 10) / 10);
    await later(PING_MS);
  }
}
