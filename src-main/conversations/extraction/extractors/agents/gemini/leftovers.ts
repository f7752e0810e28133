import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import type { Piece } from './pieces.ts';
import { STATUS } from './rules.ts';

/** Shorter beginnings may be equal by chance. */
const WHOLE_CHARS = 12;
const CALL = /^\s*(?<glyph>\S) +(?<name>\S+)/;

/**
 * Removes answers and calls that the program redrew further down. After a resize it erases as many rows as it had drawn, but the terminal
 * may have wrapped those rows into more, so the top of the old drawing remains. The old drawing ends with the status row, which is never
 * part of a message, or contains a row that the terminal wrapped. The new drawing begins with the same words. If the program erased only
 * the end of the old drawing, nothing separates the two.
 */
export function withoutLeftovers(rows: readonly FrameRow[], all: readonly Piece[]): Piece[] {
  const pieces = withRests(rows, all);
  const left = new Set<Piece>();
  for (let at = pieces.length - 1; at >= 0; at -= 1) {
    const piece = pieces[at];
    const again = pieces.slice(at + 1).find(({ kind }) => kind !== 'none');
    if (piece === undefined || again === undefined) continue;
    // Several resizes leave several old drawings, with the status row only below the last.
    const isOld =
      left.has(again) ||
      rows.slice(piece.to, again.from).some(({ text }) => STATUS.test(text)) ||
      rows.slice(piece.from + 1, again.from).some(({ wrapped }) => wrapped);
    if (isOld && (isAnswerAgain(rows, piece, again) || isCallAgain(rows, piece, again))) left.add(piece);
    else if (isWholeAgain(rows, piece, again)) left.add(piece);
  }
  return pieces.filter((piece) => !left.has(piece));
}

/**
 * The program redraws only the unfinished rest of a long answer, without a glyph. This removes the old drawing of that rest. If the old
 * drawing begins above the kept rows, only the new rest is used.
 */
function withRests(rows: readonly FrameRow[], pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const at = piece.isRest ? joined.findLastIndex(({ kind }) => kind === 'model') : -1;
    const old = joined[at];
    if (old === undefined) {
      joined.push(piece);
      continue;
    }
    const from = rows.findIndex(
      (row, place) => place >= old.from && place < old.to && isSameRow(row, rows[piece.from]),
    );
    const isAll = from === old.from || (from < 0 && !hasGlyph(rows, old));
    joined.splice(at);
    if (isAll) joined.push(hasGlyph(rows, old) ? { ...piece, hasNoGlyph: true } : piece);
    else joined.push({ ...old, to: piece.to, without: { from: from < 0 ? old.to : from, to: piece.from } });
  }
  return joined;
}

function hasGlyph(rows: readonly FrameRow[], { from, hasNoGlyph }: Piece): boolean {
  return hasNoGlyph === true || (rows[from]?.text.trimStart().startsWith('✦') ?? false);
}

/** Compares beginnings too, because a narrower window may have cut a row short. */
function isSameRow(old: FrameRow, now: FrameRow | undefined): boolean {
  const [a, b] = [old, now].map((row) => (row?.text ?? '').replace(/\s+/g, '').replace(/^✦/, ''));
  if (a === undefined || b === undefined || Math.min(a.length, b.length) < WHOLE_CHARS) return false;
  return a.startsWith(b) || b.startsWith(a);
}

function isAnswerAgain(rows: readonly FrameRow[], old: Piece, again: Piece): boolean {
  if (old.kind !== 'model' || again.kind !== 'model') return false;
  return isDrawnAgain(wordsOf(rows, { from: old.from, to: old.from + 1 }), wordsOf(rows, again));
}

/** Whether the second of two adjacent answers begins with every row of the first: one answer that was drawn twice. */
function isWholeAgain(rows: readonly FrameRow[], old: Piece, again: Piece): boolean {
  if (old.kind !== 'model' || again.kind !== 'model') return false;
  const was = wordsOf(rows, old);
  return was.length >= WHOLE_CHARS && wordsOf(rows, again).startsWith(was);
}

/** Whether `old` is a running call that is drawn again below with its outcome. */
function isCallAgain(rows: readonly FrameRow[], old: Piece, again: Piece): boolean {
  if (old.kind !== 'dense' || again.kind !== 'dense') return false;
  const [was, is] = [old, again].map(({ from }) => CALL.exec(rows[from]?.text ?? '')?.groups);
  return /[⊶⊷o⠁-⣿]/u.test(was?.glyph ?? '') && was?.name === is?.name;
}

/** `old`: words of its first row, which may be further down in the answer if the answer's beginning has scrolled out. */
function isDrawnAgain(old: string, now: string): boolean {
  return old.startsWith('✦') ? now.startsWith(old) || old.startsWith(now) : now.includes(old);
}

/** The text without spaces, because wrapping adds and removes them. */
function wordsOf(rows: readonly FrameRow[], { from, to }: Pick<Piece, 'from' | 'to'>): string {
  return rows
    .slice(from, to)
    .map(({ text }) => text.replace(/\s+/g, ''))
    .join('');
}
