import type { FrameRow } from '../contract/screen/frame.ts';
import type { RedactedRow, RedactionPlaceholder, TellRows } from '../screen/rows/RedactedRow.ts';
import { REDACTED, union } from './redactedLines.ts';
import { coveredFromTop, rowsNeededAbove, secretSpansInRows } from './secretSpansInRows.ts';

type Units = readonly ReadonlySet<number>[];
type RowsBefore = (count: number) => readonly FrameRow[];

/** Most lines that continue from above the screen begin within this many rows. */
const FEW_ROWS = 8;

/** Redacts rows for outside clients. The result does not depend on client input, and it is the only text that their patterns are matched against. */
export const redactRows: TellRows = (rows, { cols, left, above, before }) => {
  const screen = covered(rows.slice(left), cols, above, coveredFromTop);
  if (left === 0) return screen && told(rows, screen);
  // rows that left need not belong to the rows on screen, nor to rows that left earlier: each group may by itself be the inside of a key
  const all = [
    covered(rows, cols, NOTHING),
    covered(rows, cols, before),
    screen && [...rows.slice(0, left).map(NONE), ...screen],
  ];
  const some = all.filter((units) => units !== null);
  if (some.length === 0) return null;
  const units = rows.map((_, at) => some.reduce((sum, own) => union(sum, own[at]), NONE()));
  return told(rows, units);
};

const NONE = (): ReadonlySet<number> => new Set();
const NOTHING: RowsBefore = () => [];

/** Null if no row contains a secret. */
function covered(
  rows: readonly FrameRow[],
  cols: number,
  rowsBefore: RowsBefore,
  of = secretSpansInRows,
): Units | null {
  const context = contextOf(rows, rowsBefore);
  const units = of([...context, ...rows], cols).slice(context.length);
  return units.some(({ size }) => size > 0) ? units : null;
}

/** As many earlier rows as are needed to know what the first rows belong to. */
function contextOf(rows: readonly FrameRow[], rowsBefore: RowsBefore): readonly FrameRow[] {
  const needed = rowsNeededAbove(rows);
  if (needed === 0) return [];
  const few = rowsBefore(FEW_ROWS);
  const start = few.findLastIndex(({ wrapped }) => !wrapped);
  const line = few.slice(Math.max(0, start));
  if (start >= 0 && rowsNeededAbove([...line, ...rows]) === 0) return line;
  return few.length < FEW_ROWS ? few : rowsBefore(needed);
}

function told(rows: readonly FrameRow[], units: Units): RedactedRow[] {
  return rows.map(({ text }, at) => toldRow(text, units[at] ?? NONE()));
}

function toldRow(text: string, covered: ReadonlySet<number>): RedactedRow {
  if (covered.size === 0) return { text, standIns: [] };
  const standIns: RedactionPlaceholder[] = [];
  let shown = '';
  for (let at = 0; at < text.length; ) {
    const from = at;
    while (at < text.length && covered.has(at)) at += 1;
    if (at > from) {
      standIns.push({ at: shown.length, chars: REDACTED.length, from, to: at });
      shown += REDACTED;
    } else {
      shown += text[at];
      at += 1;
    }
  }
  return { text: shown, standIns };
}
