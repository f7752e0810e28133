import { z } from 'zod';
import type { Clock } from '../util/Clock.ts';
import { Time } from './answers/remoteValues.ts';
import type { RemoteApi } from './RemoteApi.ts';

/** Clocks that differ by less agree: a round trip that takes longer one way than the other looks the same. */
const SLACK_MS = 2_000;
/** Values that are nested deeper are refused where they are read. */
const MAX_DEPTH = 40;
/** Fields with a time of day in ms since 1970. Other fields in ms are durations, or belong to no terminal. */
const TIMES = new Set([
  ...['atMs', 'startedMs', 'endedMs', 'createdMs', 'updatedMs', 'usedMs', 'changedMs', 'sinceMs', 'untilMs', 'fromMs'],
  ...['queuedMs', 'askedMs', 'expiresMs'],
]);
const WithNow = z.object({ nowMs: Time });

/** How far the clock of a machine is ahead of the one here, over all connections to it. */
export class ClockLead {
  #aheadMs = 0;

  /** 0 while the clocks agree, as far as the round trips show. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** The machine read `remoteMs` from its clock in the `roundTripMs` before `nowMs`. */
  learn(remoteMs: number, { nowMs, roundTripMs }: { nowMs: number; roundTripMs: number }): void {
    const least = remoteMs - nowMs;
    const most = least + roundTripMs;
    const mayBe = (ms: number): boolean => ms >= least - SLACK_MS && ms <= most + SLACK_MS;
    if (!mayBe(this.#aheadMs)) this.#aheadMs = mayBe(0) ? 0 : Math.round((least + most) / 2);
  }
}

/**
 * The API of a machine with times of the clock here, in both directions: a question on a machine whose clock is days behind does not wait for days.
 * Each answer with the machine's time of day, as to a ping, is compared with the clock here.
 */
export function onOurClock(api: RemoteApi, lead: ClockLead, clock: Clock): RemoteApi {
  const here = (value: unknown): unknown => shifted(value, -lead.aheadMs);
  const there = (value: unknown): unknown => shifted(value, lead.aheadMs);
  return {
    async call(type, path, input, signal) {
      const [fromMs, fromMonoMs] = [clock.nowMs(), clock.monotonicMs()];
      const answer = await api.call(type, path, there(input), signal);
      const { nowMs: remoteMs } = WithNow.safeParse(answer).data ?? {};
      const nowMs = clock.nowMs();
      const roundTripMs = Math.max(clock.monotonicMs() - fromMonoMs, nowMs - fromMs); // only the time of day counts a sleep
      if (remoteMs !== undefined) lead.learn(remoteMs, { nowMs, roundTripMs });
      return here(answer);
    },
    subscribe: (path, input, listener) =>
      api.subscribe(path, there(input), {
        onData: (value) => listener.onData(here(value)),
        onError: (error) => listener.onError(error),
        onComplete: () => listener.onComplete(),
      }),
    lost: api.lost,
    dispose: () => api.dispose(),
  };
}

function shifted(value: unknown, byMs: number, depth = 0): unknown {
  if (byMs === 0 || depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => shifted(each, byMs, depth + 1));
  const entries = Object.entries(value).map(([name, each]): [string, unknown] => {
    const isTime = TIMES.has(name) && typeof each === 'number' && each > 0;
    return [name, isTime ? each + byMs : shifted(each, byMs, depth + 1)];
  });
  return Object.fromEntries(entries);
}
