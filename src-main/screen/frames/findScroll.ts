import type { FrameRow } from '../../contract/screen/frame.ts';
import { BLANK_ROW, isBlankRow, isSameRow } from '../rows/sameRow.ts';

/** Number of rows with content that must reappear further up, so that a scroll is not mistaken for chance. */
const MIN_MOVED_ROWS = 2;
/** A text in more rows than this does not reveal where it came from. */
const MAX_PLACES = 8;
/** Number of shifts to examine, of those that most rows suggest. */
const MAX_CANDIDATES = 4;

/**
 * Number of rows by which the picture moved up, 0 if it did not: the shift that leaves the fewest rows to send. Also correct for scroll
 * regions, where the rows outside remain.
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

/** Shifts suggested by rows that are further up now, those with the most rows first. */
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
