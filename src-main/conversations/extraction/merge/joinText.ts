import { GAP_LINE } from '../../../contract/chat/chat.ts';
import { isThinned, piecesOf } from './pieces.ts';
import { overlap, plainWords, spliced, wordEnds } from './plainWords.ts';

/** Word characters that two pieces must share to be joined; fewer may be equal by chance. */
const MIN_OVERLAP = 12;
/** The minimum for a join within one line, because two lines may differ in their last words only. */
const LONG_OVERLAP = 60;
/** Last lines of a streaming text that may have been drawn differently since. */
const MAX_LOOSE_LINES = 2;
/** A join line by line takes this many lines of the later piece, and the earlier piece must have this part of them. */
const MIN_LINES = 3;
const KNOWN_PART = 0.8;
/** Last lines of the earlier piece at which the later one may continue. */
const LAST_LINES = 6;
const GAP = `\n\n${GAP_LINE}\n\n`;

type Words = ReturnType<typeof wordEnds>;

/** A text and whether something is missing in it. */
export interface Joined {
  readonly text: string;
  readonly hasGap: boolean;
}

/** Joins `known` with its continuation `seen`, which may begin anywhere in it or after it. If they share nothing, a gap separates them. */
export function continued(known: string, seen: string): Joined {
  return reduced([...piecesOf(known), ...piecesOf(seen)]);
}

/** Joins `seen`, which has a gap, with the missing text that `known`, its earlier reading, may have. */
export function withGap(known: string, seen: string): Joined {
  const [first = '', ...others] = piecesOf(seen);
  const [before = ''] = piecesOf(known);
  return reduced([join(first, before) ?? first, ...others]);
}

/** Joins `known`, which has a gap, with `seen`, which shows the message from its beginning. */
export function filled(known: string, seen: string): Joined {
  const [first = '', ...others] = piecesOf(known);
  const rest = join(seen, first) === null ? others : [first, ...others];
  return reduced([seen, ...rest]);
}

/** Marks a text whose beginning was not seen. */
export function headless(text: string): Joined {
  return { text: `${GAP_LINE}\n\n${text}`, hasGap: true };
}

function reduced(pieces: readonly string[]): Joined {
  const done: string[] = [];
  for (const piece of pieces) {
    let own = piece;
    // The joined text may also join with the piece before it.
    for (let whole = together(done.at(-1), own); whole !== null; whole = together(done.at(-1), own)) {
      done.pop();
      own = whole;
    }
    done.push(own);
  }
  const isHeadless = done.length > 1 && done[0] === '';
  const text = isHeadless ? `${GAP_LINE}\n\n${done.slice(1).join(GAP)}` : done.join(GAP);
  return { text, hasGap: done.length > 1 };
}

function together(last: string | undefined, piece: string): string | null {
  if (last === undefined || last === '') return null;
  return join(last, piece) ?? (isThinned(last, piece) ? piece : null);
}

/** Joins two texts if one contains the other, or if `tail` begins with the end of `head`. Null if they share nothing. */
export function join(head: string, tail: string): string | null {
  const next = wordEnds(tail);
  if (next.words === '') return head;
  let lines = head;
  for (let loose = 0; loose <= MAX_LOOSE_LINES && lines !== ''; loose += 1) {
    const joined = joinExactly(lines, tail, next, loose === 0);
    if (joined !== null) return joined === lines ? head : joined;
    lines = withoutLastLine(lines);
  }
  return joinByLines(head, tail);
}

/** Joins the texts at one of the last lines of `head`, even if single lines before it were not seen. */
function joinByLines(head: string, tail: string): string | null {
  const known = head.split('\n');
  const said = new Set(known.map(plainWords));
  const lines = tail.split('\n');
  for (let at = known.length - 1; at >= Math.max(0, known.length - LAST_LINES); at -= 1) {
    const words = plainWords(known[at] ?? '');
    const to = words.length < MIN_OVERLAP ? -1 : lines.findLastIndex((line) => plainWords(line) === words);
    const before = lines.slice(0, to + 1).filter((line) => line.trim() !== '');
    const alike = before.filter((line) => said.has(plainWords(line))).length;
    if (before.length < MIN_LINES || alike < before.length * KNOWN_PART) continue;
    const rest = lines.slice(to + 1).join('\n');
    const isShorter = plainWords(rest).length <= plainWords(known.slice(at + 1).join('\n')).length;
    return isShorter ? head : [...known.slice(0, at + 1), rest].join('\n');
  }
  return null;
}

function joinExactly(head: string, tail: string, next: Words, isLast: boolean): string | null {
  const known = wordEnds(head);
  if (known.words.includes(next.words)) return head;
  if (next.words.includes(known.words) && known.words.length >= MIN_OVERLAP) return tail;
  const shared = overlap(known.words, next.words);
  if (shared < Math.min(MIN_OVERLAP, known.words.length)) return null;
  const to = next.ends[shared - 1] ?? 0;
  if (!endsWell(tail, to, isLast, shared)) return null;
  const from = known.ends.at(-1) ?? 0;
  const fence = openFence(tail, to);
  if (fence < 0 || openFence(head, from) >= 0) return spliced(head, from, tail, to);
  // A program may colour code only once it has more of it: `head` has its first lines as prose, so the texts are joined above the block.
  const within = next.ends.filter((end) => end > fence && end <= to).length;
  return spliced(head, known.ends.at(-1 - within) ?? 0, `\n\n${tail.slice(fence)}`, 0).trimStart();
}

/** Index of the fence of the block of code that is open at `to`; -1 outside of blocks. */
function openFence(text: string, to: number): number {
  const fences = [...text.slice(0, to).matchAll(/^ *```/gm)];
  return fences.length % 2 === 0 ? -1 : (fences.at(-1)?.index ?? -1);
}

/** Whether the shared text may end at `to` of `tail`: at the end of a line, or within the last line of `head`, which `tail` continues. */
function endsWell(tail: string, to: number, isLast: boolean, shared: number): boolean {
  const [more = ''] = tail.slice(to).split('\n', 1);
  if (plainWords(more) === '') return true;
  return isLast && (shared >= LONG_OVERLAP || /\S\s*\n/.test(tail.slice(0, to)));
}

function withoutLastLine(text: string): string {
  const at = text.trimEnd().lastIndexOf('\n');
  return at < 0 ? '' : text.slice(0, at);
}
