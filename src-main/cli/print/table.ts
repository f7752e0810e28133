import { escapeLine } from '../../util/escapeControls.ts';
import { columnsOf, cutToColumns, padToColumns } from './columns.ts';

export interface Column<Row> {
  title: string;
  /** The cell's text as recorded; it is escaped here. */
  text: (row: Row) => string;
  /** Adds colour to the finished cell; must not change its width. */
  look?: (cell: string, row: Row) => string;
  alignRight?: boolean;
}

const GAP = '  ';
/** The last column is cut to the terminal's width, but never to less than this. */
const MIN_LAST_COLUMNS = 16;

/** Lines of a table, head first, without line ends. The last column is cut to the rest of `maxColumns`; null (a pipe) cuts nothing. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  maxColumns: number | null,
): string[] {
  const cells = rows.map((row) => columns.map(({ text }) => escapeLine(text(row))));
  const last = columns.length - 1;
  const widths = columns
    .slice(0, last)
    .map(({ title }, at) =>
      cells.reduce((widest, line) => Math.max(widest, columnsOf(line[at] ?? '')), columnsOf(title)),
    );
  const before = widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const lastColumns = maxColumns === null ? null : Math.max(MIN_LAST_COLUMNS, maxColumns - before);
  const lay = (line: readonly string[], row: Row | null): string =>
    columns
      .map(({ alignRight, look }, at) => {
        const cut = at === last && lastColumns !== null ? cutToColumns(line[at] ?? '', lastColumns) : (line[at] ?? '');
        const padding = ' '.repeat(Math.max(0, (widths[at] ?? 0) - columnsOf(cut)));
        const looked = row !== null && look ? look(cut, row) : cut;
        if (at === last) return looked;
        return alignRight ? padding + looked : looked + padding;
      })
      .join(GAP);
  const head = lay(
    columns.map(({ title }) => title),
    null,
  );
  return [head, ...cells.map((line, at) => lay(line, rows[at] ?? null))];
}

/** Pairs as an aligned list: `name   value`. */
export function formatPairs(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...pairs.map(([name]) => columnsOf(name)));
  return pairs.map(([name, value]) => `  ${padToColumns(name, width)}  ${value}`);
}
