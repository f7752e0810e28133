interface Size {
  cols: number;
  rows: number;
}

/**
 * The sizes to give a PTY in turn, so that its program redraws the whole screen although the final size is unchanged:
 * one column less and back; with only one column, one row less; for a single cell, the size itself.
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
