import type { ChangeTurn, SnapshotLine } from '../contract/changes.ts';

/** A turn with the snapshots around it. `end` is null while the turn is in progress, and if Hansard did not see its end. */
export interface TurnRange {
  readonly turn: number;
  readonly begin: SnapshotLine;
  readonly end: SnapshotLine | null;
}

/** Returns the turns of a conversation, in order. `lines` has the latest line of each snapshot, by number. A prompt within a turn ends it. */
export function turnRanges(lines: readonly SnapshotLine[]): TurnRange[] {
  const begins = lines.filter(({ edge }) => edge === 'begin');
  return begins.map((begin, at) => {
    const end = lines.findLast(({ turn, edge }) => turn === begin.turn && edge === 'end');
    return { turn: begin.turn, begin, end: end ?? begins[at + 1] ?? null };
  });
}

/** Returns the range from the first prompt to the last snapshot; null before the first turn. */
export function wholeRange(ranges: readonly TurnRange[]): TurnRange | null {
  const [first] = ranges;
  const last = ranges.at(-1);
  return first && last ? { turn: first.turn, begin: first.begin, end: last.end } : null;
}

export function turnView({ turn, begin, end }: TurnRange): ChangeTurn {
  return {
    ...{ turn, title: begin.title, promptId: begin.promptId, startedMs: begin.atMs, endedMs: end?.atMs ?? null },
    fault: begin.fault ?? end?.fault ?? null,
    others: end?.edge === 'end' ? end.others : begin.others,
  };
}
