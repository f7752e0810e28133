import { readTimes, type TimeAt } from '../../store/record/readTimes.ts';
import type { SizeAt } from '../../store/record/reopen.ts';
import type { HeldTerminal } from '../protocol/messages.ts';
import type { Stretch } from './FollowedOutput.ts';

export interface Cuts {
  /** Path of output.times. */
  readonly times: string;
  readonly sizes: readonly SizeAt[];
  /** Further offsets to cut at. */
  readonly borders: readonly number[];
  /** After each cut comes one where output first came so much later. */
  readonly pauseMs: number;
}

/**
 * The output on disk from `held.keep` to `held.end`, cut at each nonce, at each change of size, where a core went or
 * came, where the answers of the last one to queries ended, at the `borders`, and after the pauses.
 * Each range has the time at which its first byte came.
 */
export async function stretchesOf(held: HeldTerminal, { times, sizes, borders, pauseMs }: Cuts): Promise<Stretch[]> {
  const { keep, nonceAt, answered, refusedFrom: end = held.end } = held;
  const sizeAt = new Map(sizes.map(({ offset, cols, rows }) => [offset, { cols, rows }]));
  const cuts = new Set([keep, ...nonceAt, ...sizeAt.keys(), ...borders, ...attendanceOf(held), answered?.at ?? keep]);
  const starts = [...cuts].filter((at) => at >= keep && at < end).sort((a, b) => a - b);
  const timed = (await timesAt(times, { starts, pauseMs })).filter(({ offset }) => offset < end);
  const nonces = new Set(nonceAt);
  return timed.map(({ offset: from, atMs }, n) => ({
    from,
    end: timed[n + 1]?.offset ?? end,
    nonceAt: nonces.has(from) ? [from] : [],
    atMs,
    isApart: true,
    ...(from > keep && { size: sizeAt.get(from) }),
  }));
}

/** See `HeldTerminal.attendance`. */
export function attendanceOf({ attendance, lostAt }: HeldTerminal): readonly number[] {
  return attendance ?? (lostAt === null ? [] : [lostAt]);
}

/** These ascending offsets and those after a pause, with their times. An unknown time is that of the next one, or now. */
async function timesAt(
  path: string,
  { starts, pauseMs }: { starts: readonly number[]; pauseMs: number },
): Promise<TimeAt[]> {
  const known: TimeAt[] = [];
  let count = 0;
  let lastMs: number | null = null;
  let pausedMs = Number.POSITIVE_INFINITY;
  const pass = (offset: number, nextMs: number): void => {
    for (let start = starts[count]; start !== undefined && start < offset; start = starts[count]) {
      const atMs = lastMs ?? nextMs;
      known.push({ offset: start, atMs });
      pausedMs = atMs + pauseMs;
      count += 1;
    }
  };
  for await (const { offset, atMs } of readTimes(path, starts[0] ?? 0)) {
    pass(offset, atMs);
    if (atMs >= pausedMs && starts[count] !== offset) {
      known.push({ offset, atMs });
      pausedMs = Number.POSITIVE_INFINITY;
    }
    lastMs = atMs;
  }
  pass(Number.POSITIVE_INFINITY, Date.now());
  return known;
}
