import type { FrameRow } from '../../contract/screen/frame.ts';

/** The new part of a line: all but `head` characters at its start and `tail` at its end. null: nothing is new. */
export type Newness = { readonly head: number; readonly tail: number } | null;

const ALL_NEW: Newness = { head: 0, tail: 0 };
/** Maximum size of the table, a few milliseconds of work. Of more lines, only the last are compared, and the others count as new. */
const MAX_CELLS = 4_000_000;

/**
 * Newness of `lines` if it is unknown how they moved: lines that are also in `before`, in the same order, are old (a longest
 * common subsequence of texts).
 */
export function oldByOrder(
  before: readonly FrameRow[],
  newness: readonly Newness[],
  lines: readonly FrameRow[],
): Newness[] {
  const compared = lines.slice(-Math.max(1, Math.floor(MAX_CELLS / (before.length + 1))));
  const found: Newness[] = lines.map(() => ALL_NEW);
  const skipped = lines.length - compared.length;
  const lengths = commonLengths(before, compared);
  const width = compared.length + 1;
  for (let at = 0, to = 0; at < before.length && to < compared.length; ) {
    if (before[at]?.text === compared[to]?.text) {
      found[skipped + to] = newness[at] ?? null;
      at += 1;
      to += 1;
    } else if ((lengths[(at + 1) * width + to] ?? 0) >= (lengths[at * width + to + 1] ?? 0)) at += 1;
    else to += 1;
  }
  return found;
}

/** Number of lines in common from `at` and `to` on, at index `at * (lines.length + 1) + to`. */
function commonLengths(before: readonly FrameRow[], lines: readonly FrameRow[]): Uint16Array {
  const width = lines.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let at = before.length - 1; at >= 0; at--) {
    for (let to = lines.length - 1; to >= 0; to--) {
      const isSame = before[at]?.text === lines[to]?.text;
      const here = at * width + to;
      lengths[here] = isSame
        ? (lengths[here + width + 1] ?? 0) + 1
        : Math.max(lengths[here + width] ?? 0, lengths[here + 1] ?? 0);
    }
  }
  return lengths;
}

/**
 * Newness of `lines` after a resize: soft wraps have moved, so logical lines are compared. Lines before the first known
 * one came back from above the screen, so they are old.
 */
export function oldByResize(
  before: readonly FrameRow[],
  newness: readonly Newness[],
  lines: readonly FrameRow[],
): Newness[] {
  const known = new Map<string, Newness>();
  for (const { text, rows } of logicalLines(before)) {
    known.set(text, rows.some((row) => newness[row]) ? ALL_NEW : null);
  }
  let isKnownYet = false;
  return logicalLines(lines).flatMap(({ text, rows }) => {
    isKnownYet ||= known.has(text) && text !== '';
    const own = isKnownYet ? (known.get(text) === undefined ? ALL_NEW : (known.get(text) ?? null)) : null;
    return rows.map(() => own);
  });
}

function logicalLines(rows: readonly FrameRow[]): { text: string; rows: number[] }[] {
  const lines: { text: string; rows: number[] }[] = [];
  rows.forEach((row, at) => {
    const open = lines.at(-1);
    if (row.wrapped && open) {
      open.text += row.text;
      open.rows.push(at);
    } else lines.push({ text: row.text, rows: [at] });
  });
  return lines;
}
