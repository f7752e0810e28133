import type { FrameRow } from '../../contract/frame.ts';
import type { ScreenReading, WaitMatch } from '../../contract/screen.ts';
import { coveredRows, slicedUnits } from './coveredRows.ts';
import { LINES_ABOVE, mayBeKey, redactedLines, TAKEN, withoutCovered } from './redactedLines.ts';

export interface RedactedMatch {
  readonly text: string;
  readonly groups: readonly (string | null)[];
  readonly redactions: number;
}

/** Groups of such a pattern may hold what is outside of the match. */
const LOOKS_AROUND = /\(\?<?[=!]/;

/**
 * What a pattern found as it may leave: a match within a secret shows as little of it as the screen does. `reading` is of the frame in which it
 * was found, with the rows from above it; what had scrolled off too far to be there is judged by itself.
 */
export function redactedMatch(match: WaitMatch, reading: ScreenReading | null, pattern: string): RedactedMatch {
  const pieces = reading ? piecesOf(match, reading) : null;
  if (!pieces) return alone(match);
  const shown = withoutCovered(pieces.texts, pieces.covered);
  const isTouched = shown.redactions > 0 || (pieces.hasSecrets && LOOKS_AROUND.test(pattern));
  return {
    text: shown.lines.map((line, at) => (pieces.borders[at] ?? '') + line).join(''),
    groups: isTouched ? match.groups.map((group) => group && TAKEN) : match.groups,
    redactions: shown.redactions,
  };
}

interface Pieces {
  /** Of each row of the match. */
  readonly texts: readonly string[];
  /** What stands before each: nothing where the row goes on from the one before. */
  readonly borders: readonly string[];
  readonly covered: readonly ReadonlySet<number>[];
  /** There may be secrets in sight, if not in the match. */
  readonly hasSecrets: boolean;
}

/** Null when the rows of the match are not there, or read otherwise. */
function piecesOf({ row, col, resume, text }: WaitMatch, reading: ScreenReading): Pieces | null {
  const { frame } = reading;
  if (!frame) return null;
  const rows: readonly FrameRow[] = [...reading.scrollback, ...frame.rows];
  const [first, last] = [row, resume.row].map((at) => at + reading.scrollback.length) as [number, number];
  const own = rows.slice(Math.max(0, first), last + 1);
  const texts = own.map((line, at) =>
    line.text.slice(at === 0 ? col : 0, at === own.length - 1 ? resume.col : line.text.length),
  );
  const borders = own.map((line, at) => (at === 0 || line.wrapped ? '' : '\n'));
  if (first < 0 || texts.map((part, at) => (borders[at] ?? '') + part).join('') !== text) return null;
  const top = Math.max(0, first - LINES_ABOVE);
  const all = coveredRows(rows.slice(top), frame.cols);
  const covered = all.slice(first - top, last + 1 - top).map((units, at) => {
    const from = at === 0 ? col : 0;
    return slicedUnits(units, { from, to: from + (texts[at] ?? '').length });
  });
  return { texts, borders, covered, hasSecrets: top > 0 || all.some(({ size }) => size > 0) };
}

function alone({ text, groups }: WaitMatch): RedactedMatch {
  const lines = text.split('\n');
  const isKey = mayBeKey(lines) || groups.some((group) => group !== null && mayBeKey([group]));
  if (isKey) return { text: TAKEN, groups: groups.map((group) => group && TAKEN), redactions: 1 };
  const shown = redactedLines(lines);
  return { text: shown.lines.join('\n'), groups, redactions: shown.redactions };
}
