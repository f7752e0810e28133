import { columnsOf } from '../print/columns.ts';

/** Lines wrapped to the width of the terminal, one entry per row. */
export function wrapRows(lines: readonly string[], columns: number): string[] {
  return lines.flatMap((line) => {
    const rows: string[] = [];
    let row = '';
    let used = 0;
    for (const char of line) {
      const width = columnsOf(char);
      if (used + width > columns) {
        rows.push(row);
        row = '';
        used = 0;
      }
      row += char;
      used += width;
    }
    return [...rows, row];
  });
}
