import { graphemesOf } from '../shared/xterm/cellWidths.ts';

const PLAIN = /^[\u0020-\u007e]*$/;

/** Number of columns that the text of a row takes. */
export function cellsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return graphemesOf(text).reduce((sum, { cells }) => sum + cells, 0);
}

/** The UTF-16 units of the text in the columns `left` to `right`. Excludes a wide character that is only half inside. */
export function unitsWithin(text: string, left: number, right: number): { from: number; to: number } {
  if (PLAIN.test(text))
    return { from: Math.min(left, text.length), to: Math.min(Math.max(left, right + 1), text.length) };
  let unit = 0;
  let cell = 0;
  const within: number[] = [];
  for (const { text: own, cells } of graphemesOf(text)) {
    const isWithin = cell >= left && cell + cells - 1 <= right;
    if (isWithin) within.push(unit, unit + own.length);
    unit += own.length;
    cell += cells;
  }
  return { from: within[0] ?? 0, to: within.at(-1) ?? 0 };
}
