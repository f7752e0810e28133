import type { FrameRow } from '../../../contract/screen/frame.ts';
import { commonStart } from './plainWords.ts';

/** Distinct rows with words that must be found again before the picture is believed to be the same one, moved … */
const MIN_ALIKE = 2;
/** … and their part of the comparable rows: fewer may be only the rows that stay at the bottom of every screen. */
const MIN_PART = 0.3;
/** Rules and empty boxes are on every screen and prove nothing. */
const HAS_WORDS = /[\p{L}\p{N}]/u;

export interface Place {
  /** Index in `known` of the first of these rows; negative if they begin above it. */
  readonly at: number;
  /** Every row that is not blank was found. */
  readonly isWhole: boolean;
}

/**
 * Finds the rows of `now` in `known`: the offset at which most of them match. A row counts less the more often its text occurs; blank
 * rows do not count. Of equal offsets, the one nearest to `near` wins. Null if too few rows match.
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

/**
 * Corrects `place`, which most rows of `now` have voted for, if the first rows of `now` are not there but at a single other place: rows
 * were added or removed in the middle of the picture, and its top decides what is above it.
 */
export function placeOfTop(known: readonly FrameRow[], now: readonly FrameRow[], place: Place): Place {
  const first = now.findIndex(({ text }) => HAS_WORDS.test(text));
  if (first < 0 || place.at + first < 0 || isSameText(known[place.at + first], now[first])) return place;
  const top: FrameRow[] = [];
  const worded = new Set<string>();
  for (const row of now) {
    if (worded.size === MIN_ALIKE) break;
    top.push(row);
    if (HAS_WORDS.test(row.text)) worded.add(row.text.trimEnd());
  }
  if (worded.size < MIN_ALIKE) return place;
  const places = known.flatMap((_, at) => (top.every((row, i) => isSameText(row, known[at + i])) ? [at] : []));
  return places.length === 1 ? { at: places[0] ?? place.at, isWhole: false } : place;
}

/**
 * Returns how many of the last rows of `above` are at the top of `screen` again. `below`: the rows below them when they left.
 * 0: the screen continues where they end. Null if the rows of `below` have no words or are not on the screen at that place.
 */
export function rowsBack(
  above: readonly FrameRow[],
  screen: readonly FrameRow[],
  below: readonly FrameRow[],
): number | null {
  if (!below.some(({ text }) => HAS_WORDS.test(text))) return null;
  const isAt = (from: number, rows: readonly FrameRow[]) => rows.every((row, at) => isSameText(row, screen[from + at]));
  for (let back = 0; back + below.length <= screen.length && back <= above.length; back += 1) {
    if (isAt(back, below) && isAt(0, above.slice(above.length - back))) return back;
  }
  return null;
}

/**
 * Returns how many of the last rows of `above` are drawn again at the top of `now`: a program that took more rows for a while redraws
 * the rows that left. 0 if some of them are missing, or if they have too few words to be recognized. Call it only if `now` is known to
 * be another drawing: people and programs do repeat themselves.
 */
export function rowsDrawnBack(above: readonly FrameRow[], now: readonly FrameRow[]): number {
  for (let back = Math.min(above.length, now.length); back >= MIN_ALIKE; back -= 1) {
    const rows = above.slice(above.length - back);
    if (!rows.every((row, at) => isSameText(row, now[at]))) continue;
    const worded = new Set(rows.map(({ text }) => text.trimEnd()).filter((text) => HAS_WORDS.test(text)));
    if (worded.size >= MIN_ALIKE) return back;
  }
  return 0;
}

/**
 * Whether `now` is only the beginning of a drawing in which the rows of `before` move up: its first rows come from further down, the
 * last of these may be half drawn, and the last `still` rows have not changed.
 */
export function isTorn(before: readonly FrameRow[], now: readonly FrameRow[], still: number): boolean {
  const drawn = now.length - still;
  if (drawn === 0 || before.length !== now.length || !HAS_WORDS.test(now[0]?.text ?? '')) return false;
  const [first] = now;
  const by = before.findIndex((row, at) => at > 0 && first && isMoved(first, row, before[0], drawn === 1));
  return by > 0 && now.slice(0, drawn).every((row, at) => isMoved(row, before[at + by], before[at], at === drawn - 1));
}

function isMoved(row: FrameRow, from: FrameRow | undefined, over: FrameRow | undefined, isLast: boolean): boolean {
  if (isSameText(row, from)) return true;
  if (!isLast || !from || !over) return false;
  const [text, begun, old] = [row.text.trimEnd(), from.text.trimEnd(), over.text.trimEnd()];
  const start = commonStart(text, begun);
  return start > 0 && old.slice(start) === text.slice(start);
}

/**
 * Whether the screen `before` only scrolled: `now`, whose first `left` rows have left the screen, begins with its rows. Compares up to
 * `rows` rows with words that are still on the screen.
 */
export function hasScrolled(
  before: readonly FrameRow[],
  now: readonly FrameRow[],
  { left, rows }: { left: number; rows: number },
): boolean {
  let onScreen = 0;
  for (let at = 0; at < before.length; at += 1) {
    if (!isSameText(before[at], now[at])) return false;
    if (at >= left && HAS_WORDS.test(now[at]?.text ?? '')) onScreen += 1;
    if (onScreen === rows) return true;
  }
  return false;
}

/**
 * Finds the rows of `now` in `known` if they were drawn again. The proof is rows that occur only once in both, and two matching rows in
 * succession: in a list of similar lines, every other one may be the same.
 */
export function findDrawnAgain(known: readonly FrameRow[], now: readonly FrameRow[]): Place | null {
  const place = findPlace(known, now, known.length);
  if (!place) return null;
  const [above, drawn] = [placesOf(known), placesOf(now)];
  const worded = now.flatMap((row, at) => (HAS_WORDS.test(row.text) ? [{ row, at }] : []));
  const isAgain = worded.map(({ row, at }) => isSameText(row, known[place.at + at]));
  const isPair = isAgain.some((is, at) => is && isAgain[at + 1]);
  const isSingle = ({ text }: FrameRow) => [above, drawn].every((places) => places.get(text.trimEnd())?.length === 1);
  const single = worded.filter(({ row }, at) => isAgain[at] && isSingle(row));
  return isPair && single.length >= MIN_ALIKE ? place : null;
}

/** Rows at the end of a picture that may differ in the next one: a streaming text, a spinner above the input box. */
const LOOSE_ROWS = 6;

/** Whether `now` matches the rows of `known` from `at` on, as far as these go, and at no other index: proof of its place. */
export function isOnlyPlace(known: readonly FrameRow[], now: readonly FrameRow[], at: number): boolean {
  if (at < 0 || !isAlikeFrom(known, now, at)) return false;
  return known.every((_, other) => other === at || !isAlikeFrom(known, now, other));
}

function isAlikeFrom(known: readonly FrameRow[], now: readonly FrameRow[], at: number): boolean {
  const most = Math.min(known.length - at, now.length);
  const worded = new Set<string>();
  let same = 0;
  for (; same < most && isSameText(known[at + same], now[same]); same += 1) {
    const text = now[same]?.text.trimEnd() ?? '';
    if (HAS_WORDS.test(text)) worded.add(text);
  }
  return worded.size >= MIN_ALIKE && same >= most - LOOSE_ROWS;
}

/** Number of equal rows at the bottom of both. */
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

/** Weight of each offset; a row's vote is divided among all its places. */
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
