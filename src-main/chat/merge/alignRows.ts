import type { FrameRow } from '../../contract/frame.ts';

/** Distinct rows with words that must be found again before the picture is believed to be the same one, moved … */
const MIN_ALIKE = 2;
/** … and their part of those that could be: fewer are what stays at the bottom of every screen. */
const MIN_PART = 0.3;
/** Rules and empty boxes stand on every screen. */
const HAS_WORDS = /[\p{L}\p{N}]/u;

export interface Place {
  /** Index in `known` of the first of the rows looked for; negative where they begin above it. */
  readonly at: number;
  /** Every row that holds something was found. */
  readonly isWhole: boolean;
}

/**
 * Where the rows of `now` stand in `known`: the offset at which most of them are found again, a row counting the less the more
 * often its text occurs, blank ones nothing. Of equal offsets the one nearest to `near`. Null when too few are found.
 */
export function findPlace(known: readonly FrameRow[], now: readonly FrameRow[], near: number): Place | null {
  const texts = now.map((row) => row.text.trimEnd());
  const votes = votesOf(placesOf(known), texts);
  let best: number | null = null;
  let most = 0;
  for (const [at, vote] of votes) {
    const isNearer = best === null || Math.abs(at - near) < Math.abs(best - near);
    if (vote > most + 1e-6 || (vote > most - 1e-6 && isNearer)) [best, most] = [at, vote];
  }
  return best === null ? null : judged(known, texts, best);
}

/** Rows from the bottom up that are the same in both. */
export function commonBottom(before: readonly FrameRow[], now: readonly FrameRow[]): number {
  if (before.length !== now.length) return 0;
  let rows = 0;
  while (rows < now.length && isSameText(before.at(-1 - rows), now.at(-1 - rows))) rows += 1;
  return rows;
}

export function isSameText(a: FrameRow | undefined, b: FrameRow | undefined): boolean {
  return a === b || a?.text.trimEnd() === b?.text.trimEnd();
}

function placesOf(rows: readonly FrameRow[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  rows.forEach((row, at) => {
    const text = row.text.trimEnd();
    if (text === '') return;
    const same = places.get(text);
    if (same) same.push(at);
    else places.set(text, [at]);
  });
  return places;
}

/** For each offset, how much speaks for it. */
function votesOf(places: ReadonlyMap<string, readonly number[]>, texts: readonly string[]): Map<number, number> {
  const votes = new Map<number, number>();
  texts.forEach((text, at) => {
    const from = places.get(text) ?? [];
    for (const place of from) votes.set(place - at, (votes.get(place - at) ?? 0) + 1 / from.length);
  });
  return votes;
}

function judged(known: readonly FrameRow[], texts: readonly string[], at: number): Place | null {
  const worded = texts.filter((text) => HAS_WORDS.test(text)).length;
  const found = new Set<string>();
  let alike = 0;
  let comparable = 0;
  let isWhole = true;
  texts.forEach((text, row) => {
    const old = known[at + row];
    const isAlike = old?.text.trimEnd() === text;
    if (text !== '' && !isAlike) isWhole = false;
    if (!old || !HAS_WORDS.test(text)) return;
    comparable += 1;
    if (!isAlike) return;
    alike += 1;
    found.add(text);
  });
  return found.size < Math.max(1, Math.min(MIN_ALIKE, worded)) || alike < comparable * MIN_PART
    ? null
    : { at, isWhole };
}
