import type { FrameRow } from '../../contract/screen/frame.ts';
import { BLANK_ROW, isBlankRow, isSameRow } from '../rows/sameRow.ts';

/** So many rows that hold something must be found again further up before it is called a scroll and not chance. */
const MIN_MOVED_ROWS = 2;
/** A text that stands in more rows than this says nothing about where it came from. */
const MAX_PLACES = 8;
/** Shifts that are looked at closely, of those that most rows speak for. */
const MAX_CANDIDATES = 4;

/**
 * By how many rows the picture moved up, 0 when nothing did: the shift that leaves the fewest rows to be told. Right for scroll
 * regions too, where the rows outside are those that are left.
 */
export function findScroll(old: readonly FrameRow[], now: readonly FrameRow[]): number {
  const stillDiffering = differing(old, now, 0);
  if (stillDiffering === 0) return 0;
  let best = 0;
  let fewest = stillDiffering;
  for (const shift of candidates(old, now)) {
    const count = differing(old, now, shift);
    if (count < fewest && movedRows(old, now, shift) >= MIN_MOVED_ROWS) [best, fewest] = [shift, count];
  }
  return best;
}

/** Shifts for which rows speak that stand further up now, most rows first. */
function candidates(old: readonly FrameRow[], now: readonly FrameRow[]): number[] {
  const places = new Map<string, number[]>();
  old.forEach((row, at) => {
    if (isBlankRow(row)) return;
    const same = places.get(row.text);
    if (same) same.push(at);
    else places.set(row.text, [at]);
  });
  const votes = new Map<number, number>();
  now.forEach((row, at) => {
    const from = places.get(row.text) ?? [];
    if (from.length > MAX_PLACES || isBlankRow(row)) return;
    for (const place of from) if (place > at) votes.set(place - at, (votes.get(place - at) ?? 0) + 1);
  });
  const byVotes = [...votes].sort(([a, forA], [b, forB]) => forB - forA || a - b);
  return byVotes.slice(0, MAX_CANDIDATES).map(([shift]) => shift);
}

function differing(old: readonly FrameRow[], now: readonly FrameRow[], shift: number): number {
  return now.reduce((count, row, at) => count + (isSameRow(old[at + shift] ?? BLANK_ROW, row) ? 0 : 1), 0);
}

function movedRows(old: readonly FrameRow[], now: readonly FrameRow[], shift: number): number {
  return now.reduce((count, row, at) => {
    const from = old[at + shift];
    return count + (from && !isBlankRow(row) && isSameRow(from, row) ? 1 : 0);
  }, 0);
}
