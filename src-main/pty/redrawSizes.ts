interface Size {
  cols: number;
  rows: number;
}

/**
 * The sizes to give a PTY, one after the other, so that the program in it draws its whole screen again though the size is the same
 * in the end: a column less and back, where there is only one column a row less, and for a single cell the size itself.
 */
export function redrawSizes({ cols, rows }: Size): Size[] {
  if (cols > 1)
    return [
      { cols: cols - 1, rows },
      { cols, rows },
    ];
  if (rows > 1)
    return [
      { cols, rows: rows - 1 },
      { cols, rows },
    ];
  return [{ cols, rows }];
}
