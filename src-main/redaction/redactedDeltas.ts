import { type FoldedScreen, foldDelta } from '../contract/screen/foldDelta.ts';
import type { ScreenDelta } from '../contract/screen/screenRecord.ts';
import { LINES_ABOVE, union, withoutCovered } from './redactedLines.ts';
import { coveredFromTop, rowsNeededAbove, secretSpansInRows, type TextRow } from './secretSpansInRows.ts';

export interface RedactedDeltas {
  /** For each delta, the texts of its rows, in its order. */
  readonly rows: readonly (readonly string[])[];
  readonly redactions: number;
}

/**
 * Redacts the rows of deltas, each in the context of its screen. `before`: the screen before the first delta; null if that is a keyframe or the
 * screen is unknown.
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

/** Rows that the deltas scrolled off, as far as they are known to be directly above the screen. */
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

/** More rows may have passed between two frames than were seen, so the screen is also examined without the rows above it. */
function screenCovered(rows: readonly TextRow[], above: readonly TextRow[], cols: number): ReadonlySet<number>[] {
  const alone = coveredFromTop(rows, cols);
  const known = above.slice(-rowsNeededAbove(rows));
  if (known.length === 0 || rowsNeededAbove(rows) === 0) return [...alone];
  const within = secretSpansInRows([...known, ...rows], cols).slice(known.length);
  return rows.map((_, at) => union(alone[at], within[at]));
}
