import type { FrameRow } from '../contract/screen/frame.ts';
import type { ScreenReading } from '../contract/screen/screen.ts';
import { LINES_ABOVE, withoutCovered } from './redactedLines.ts';
import { unitsWithin } from './rowCells.ts';
import { coveredFromTop, slicedUnits } from './secretSpansInRows.ts';

/** Rows and columns of a screen, from 0; `bottom` and `right` are inclusive. */
export interface Region {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** A row, and the units of its text that belong to a secret. */
export interface CoveredRow {
  readonly line: FrameRow;
  readonly covered: ReadonlySet<number>;
}

/** A reading with its secrets located: each row is examined in its context. */
export interface CoveredReading {
  /** The rows of the screen; for a difference without its frame, the changed rows. */
  readonly rows: ReadonlyMap<number, CoveredRow>;
  /** Above the screen, oldest first. */
  readonly scrollback: readonly CoveredRow[];
}

/** Keeps the last `rowsAbove` rows of scrollback; the rows above them are examined as far as a secret can reach. */
export function coveredReading(reading: ScreenReading, rowsAbove = reading.scrollback.length): CoveredReading {
  const { frame } = reading;
  const scrollback = lastOf(reading.scrollback, rowsAbove + LINES_ABOVE);
  const numbered = frame ? frame.rows.map((line, row) => ({ row, line })) : told(reading);
  const lines = numbered.map(({ line }) => line);
  const covered = coveredFromTop([...scrollback, ...lines], frame?.cols ?? Number.POSITIVE_INFINITY);
  const of = (line: FrameRow, at: number): CoveredRow => ({ line, covered: covered[at] ?? new Set() });
  return {
    scrollback: lastOf(scrollback.map(of), rowsAbove),
    rows: new Map(numbered.map(({ row, line }, at) => [row, of(line, scrollback.length + at)])),
  };
}

function lastOf<T>(rows: readonly T[], count: number): readonly T[] {
  return rows.slice(Math.max(0, rows.length - count));
}

function told(reading: ScreenReading) {
  return reading.full ? [] : [...reading.diff.changed, ...reading.diff.added].sort((a, b) => a.row - b.row);
}

/** Redacted rows and the number of redacted secrets; with `columns`, only the text in these columns, in cells. */
export function shownRows(
  rows: readonly CoveredRow[],
  columns?: Pick<Region, 'left' | 'right'> | undefined,
): { rows: readonly FrameRow[]; redactions: number } {
  const cuts = rows.map(({ line, covered }) => {
    if (!columns) return { text: line.text, covered };
    const units = unitsWithin(line.text, columns.left, columns.right);
    return { text: line.text.slice(units.from, units.to), covered: slicedUnits(covered, units) };
  });
  const { lines, redactions } = withoutCovered(
    cuts.map(({ text }) => text),
    cuts.map(({ covered }) => covered),
  );
  return { rows: rows.map(({ line }, at) => ({ ...line, text: lines[at] ?? '', spans: [] })), redactions };
}
