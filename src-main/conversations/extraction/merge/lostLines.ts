import type { ChatDoubt } from '../../../contract/chat/chat.ts';
import { ITEM } from '../markdown/softBreak.ts';
import { sharedLines } from './pieces.ts';
import { commonStart, hasWords, overlap, plainWords, spliced, wordEnds } from './plainWords.ts';

/** Number of word characters that two texts must share before lines are restored between them. Fewer may be equal by chance. */
const MIN_OVERLAP = 12;
/** Two texts that share a beginning of this many characters and then differ in whole lines: the program erased lines … */
const LOST_AFTER = 60;
/** … at least this many, of which only the last may be incomplete … */
const MIN_LOST_LINES = 2;
/** … unless this part of them is drawn further down. */
const MOVED_PART = 0.3;

type Words = ReturnType<typeof wordEnds>;

/** A streaming text with its erased lines restored. `doubt` is set if only their absence shows that they were erased. */
export interface Restored {
  readonly text: string;
  readonly doubt?: ChatDoubt;
}

/**
 * Restores in `seen` the lines of `known` that the program erased and did not redraw: lines between lines of both texts, or the last
 * lines of `known` if the two continue differently. Returns null if the texts differ in another way.
 */
export function withLost(known: string, seen: string): Restored | null {
  if (isGrown(known, seen)) return null;
  const [a, b] = [wordEnds(known), wordEnds(seen)];
  let from = commonStart(a.words, b.words);
  while (from > 0 && !(isLineAt(known, a, from) && isLineAt(seen, b, from))) from -= 1;
  const rest = b.words.slice(from);
  if (from < MIN_OVERLAP || rest === '') return null;
  if (rest.length >= MIN_OVERLAP) {
    const inside = a.words.indexOf(rest, from);
    if (inside >= 0) return isLineAt(known, a, inside) ? { text: known } : null;
  }
  const shared = overlap(a.words.slice(from), rest);
  const isJoined = shared >= Math.min(MIN_OVERLAP, lastLine(known, a)) && isLineAt(known, a, a.words.length - shared);
  if (isJoined && shared > 0) return { text: spliced(known, a.ends.at(-1) ?? 0, seen, b.ends[from + shared - 1] ?? 0) };
  return from < LOST_AFTER ? null : cutOff(known, seen, { from, a, b });
}

/** Whether each line of `known` begins one of `seen`, in order: a line above the last may be drawn to its end last. */
function isGrown(known: string, seen: string): boolean {
  const lines = seen.split('\n').map(plainWords);
  let from = 0;
  return known
    .split('\n')
    .filter(hasWords)
    .every((line) => {
      const at = lines.findIndex((other, place) => place >= from && other.startsWith(plainWords(line)));
      from = at + 1;
      return at >= 0;
    });
}

/** Joins the common beginning, the lines that only `known` has, and the lines that only `seen` has. */
function cutOff(
  known: string,
  seen: string,
  { from, a, b }: { from: number; a: Words; b: Words },
): Required<Restored> | null {
  const lost = known.slice(a.ends[from - 1]);
  const lines = lost.split('\n').filter(hasWords);
  const rest = seen.slice(b.ends[from - 1]).replace(/^\s*\n/, '');
  const words = a.words.length - from;
  if (lines.length < MIN_LOST_LINES || sharedLines(lost, b.words.slice(from)) > words * MOVED_PART) return null;
  const head = known.trimEnd();
  const [next = ''] = rest.trimStart().split('\n', 1);
  const text = head + (ITEM.test(next) && ITEM.test(lines.at(-1) ?? '') ? '\n' : '\n\n') + rest.replace(/^\n+/, '');
  return { text, doubt: { reason: 'redrawn', from: a.ends[from - 1] ?? 0, to: head.length } };
}

function isLineAt(text: string, { ends }: Words, at: number): boolean {
  return at > 0 && text.slice(ends[at - 1], ends[at]).includes('\n');
}

/** Returns the number of word characters in the last line. */
function lastLine(text: string, { ends }: Words): number {
  const at = text.slice(0, ends.at(-1)).lastIndexOf('\n');
  return ends.filter((end) => end > at + 1).length;
}
