/** In px, from the top left. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Whole px for whole cells: IBM Plex Mono is 0.6 em wide, so 9 px at 15 px; 20 px is its line height of 1.3, rounded up. */
export const CELL = { width: 9, height: 20 } as const;
export const FONT_PX = 15;
/** Distance from the top of a cell: the font's ascent (1.025 em), plus half of the line height's rest. */
export const BASELINE_PX = 15;
/** Margin around the screen. */
export const MARGIN_PX = 10;

/** Largest picture. A terminal may be 1000 × 1000, which would be a picture of 180 million px. */
export const MAX_COLS = 500;
export const MAX_ROWS = 200;

export function pictureSize({ cols, rowsCount }: { cols: number; rowsCount: number }): {
  width: number;
  height: number;
} {
  return { width: cols * CELL.width + 2 * MARGIN_PX, height: rowsCount * CELL.height + 2 * MARGIN_PX };
}
