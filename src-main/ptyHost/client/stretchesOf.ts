import { readTimes } from '../../store/record/readTimes.ts';
import type { SizeAt } from '../../store/record/reopen.ts';
import type { HeldTerminal } from '../protocol/messages.ts';
import type { Stretch } from './FollowedOutput.ts';

/**
 * The output on disk from `held.keep` to `held.end`, cut at each nonce, at each change of size, where a core went or
 * came, and where the answers of the last one to queries ended.
 * Each range has the time at which its first byte came.
 */
export async function stretchesOf(
  held: HeldTerminal,
  { times, sizes }: { times: string; sizes: readonly SizeAt[] },
): Promise<Stretch[]> {
  const { keep, nonceAt, answered, refusedFrom: end = held.end } = held;
  const sizeAt = new Map(sizes.map(({ offset, cols, rows }) => [offset, { cols, rows }]));
  const cuts = new Set([keep, ...nonceAt, ...sizeAt.keys(), ...attendanceOf(held), answered?.at ?? keep]);
  const starts = [...cuts].filter((at) => at >= keep && at < end).sort((a, b) => a - b);
  const atMs = await timesAt(times, starts);
  const nonces = new Set(nonceAt);
  return starts.map((from, n) => ({
    from,
    end: starts[n + 1] ?? end,
    nonceAt: nonces.has(from) ? [from] : [],
    atMs: atMs[n] ?? 0,
    isApart: true,
    ...(from > keep && { size: sizeAt.get(from) }),
  }));
}

/** See `HeldTerminal.attendance`. */
export function attendanceOf({ attendance, lostAt }: HeldTerminal): readonly number[] {
  return attendance ?? (lostAt === null ? [] : [lostAt]);
}

/** Times of the bytes at these ascending offsets. An unknown time is that of the next one, or now. */
async function timesAt(path: string, starts: readonly number[]): Promise<number[]> {
  const known: number[] = [];
  let lastMs: number | null = null;
  for await (const { offset, atMs } of readTimes(path, starts[0] ?? 0)) {
    while (known.length < starts.length && (starts[known.length] ?? 0) < offset) known.push(lastMs ?? atMs);
    lastMs = atMs;
  }
  while (known.length < starts.length) known.push(lastMs ?? Date.now());
  return known;
}
