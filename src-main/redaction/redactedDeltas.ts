import { type FoldedScreen, foldDelta } from '../contract/screen/foldDelta.ts';
import type { ScreenDelta } from '../contract/screen/screen.ts';
import { LINES_ABOVE, union, withoutCovered } from './redactedLines.ts';
import { coveredFromTop, rowsNeededAbove, secretSpansInRows, type TextRow } from './secretSpansInRows.ts';

export interface RedactedDeltas {
  /** Of each delta the texts of its rows, in its order. */
  readonly rows: readonly (readonly string[])[];
  readonly redactions: number;
}

/**
 * The rows of deltas as they may leave: each is looked at within the screen that it belongs to. `before`: the screen that the first of them
 * goes on from, null when they begin with a keyframe or nothing is known.
 */
export function redactedDeltas(deltas: readonly ScreenDelta[], before: FoldedScreen | null): RedactedDeltas {
  let screen = before;
  let above: readonly TextRow[] = [];
  let redactions = 0;
  const rows = deltas.map((delta) => {
    above = aboveAfter(above, screen, delta);
    screen = foldDelta(screen, delta);
    const told = redactedRows(delta, screen, above);
    redactions += told.redactions;
    return told.lines;
  });
  return { rows, redactions };
}

/** Rows that the deltas moved off the top, as far as they are known to stand right above the screen. */
function aboveAfter(above: readonly TextRow[], screen: FoldedScreen | null, delta: ScreenDelta): readonly TextRow[] {
  const isOther = delta.keyframe || delta.alt_screen !== undefined || !screen || screen.altScreen;
  if (isOther) return [];
  return [...above, ...screen.rows.slice(0, delta.scrolled_by ?? 0)].slice(-LINES_ABOVE);
}

function redactedRows({ rows }: ScreenDelta, screen: FoldedScreen | null, above: readonly TextRow[]) {
  const texts = rows.map(({ text }) => text);
  if (rows.length === 0) return withoutCovered(texts, []);
  const standing = screen?.rows ?? rows.map(({ text, wrapped = false }) => ({ text, wrapped }));
  const cols = screen?.cols || Number.POSITIVE_INFINITY;
  const covered = screenCovered(standing, above, cols);
  return withoutCovered(
    texts,
    rows.map(({ row }, at) => covered[screen ? row : at] ?? new Set<number>()),
  );
}

/** More may have passed between two frames than was seen, so what is known above is not trusted alone. */
function screenCovered(rows: readonly TextRow[], above: readonly TextRow[], cols: number): ReadonlySet<number>[] {
  const alone = coveredFromTop(rows, cols);
  const known = above.slice(-rowsNeededAbove(rows));
  if (known.length === 0 || rowsNeededAbove(rows) === 0) return [...alone];
  const within = secretSpansInRows([...known, ...rows], cols).slice(known.length);
  return rows.map((_, at) => union(alone[at], within[at]));
}
