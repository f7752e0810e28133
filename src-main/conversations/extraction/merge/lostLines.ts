import type { ChatDoubt } from '../../../contract/chat/chat.ts';
import { ITEM } from '../markdown/softBreak.ts';
import { sharedLines } from './pieces.ts';
import { commonStart, hasWords, overlap, wordEnds } from './plainWords.ts';

/** Characters of words that two texts must share where lines are put between: fewer may be alike by chance. */
const MIN_OVERLAP = 12;
/** Where both begin alike for so long, and then differ in whole lines, the program has taken lines from the screen … */
const LOST_AFTER = 60;
/** … so many, all but the last of which are no longer written … */
const MIN_LOST_LINES = 2;
/** … unless so much of them is drawn further down. */
const MOVED_PART = 0.3;

type Words = ReturnType<typeof wordEnds>;

/** A text that still streams with lines that were taken from the screen; in doubt where nothing but their absence tells that they were. */
export interface Restored {
  readonly text: string;
  readonly doubt?: ChatDoubt;
}

/**
 * `seen` with the lines that `known` has between those that both have, or that it ends with where the two go different ways: a program
 * that erases more rows than it draws again has taken them from the screen, and not back. Null where they differ otherwise.
 */
export function withLost(known: string, seen: string): Restored | null {
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
  if (isJoined && shared > 0) return { text: known.slice(0, a.ends.at(-1)) + seen.slice(b.ends[from + shared - 1]) };
  return from < LOST_AFTER ? null : cutOff(known, seen, { from, a, b });
}

/** What both begin with, the lines that only `known` goes on with, and those of `seen`. */
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
  const head = known.slice(0, a.ends.at(-1));
  const [next = ''] = rest.trimStart().split('\n', 1);
  const text = head + (ITEM.test(next) && ITEM.test(lines.at(-1) ?? '') ? '\n' : '\n\n') + rest.replace(/^\n+/, '');
  return { text, doubt: { reason: 'redrawn', from: a.ends[from - 1] ?? 0, to: head.length } };
}

function isLineAt(text: string, { ends }: Words, at: number): boolean {
  return at > 0 && text.slice(ends[at - 1], ends[at]).includes('\n');
}

/** Characters of words in the last line. */
function lastLine(text: string, { ends }: Words): number {
  const at = text.slice(0, ends.at(-1)).lastIndexOf('\n');
  return ends.filter((end) => end > at + 1).length;
}
