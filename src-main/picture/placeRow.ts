import type { StyledSpan } from '../contract/block.ts';
import type { FrameRow } from '../contract/screen/frame.ts';
import { graphemesOf } from '../shared/xterm/cellWidths.ts';

/** A character with its position. */
export interface PlacedChar {
  readonly text: string;
  /** Column from 0, and number of columns. */
  readonly col: number;
  readonly cells: number;
}

/** Adjacent characters with equal attributes. */
export interface PlacedRun {
  readonly look: StyledSpan;
  readonly col: number;
  readonly cells: number;
  readonly chars: readonly PlacedChar[];
}

/** Converts a row to runs in their columns; leaves out text right of the last column. */
export function placeRow({ spans }: FrameRow, cols: number): PlacedRun[] {
  const runs: PlacedRun[] = [];
  let col = 0;
  for (const look of spans) {
    const chars: PlacedChar[] = [];
    const from = col;
    for (const { text, cells } of graphemesOf(look.text)) {
      if (cells === 0 || col + cells > cols) continue;
      chars.push({ text, col, cells });
      col += cells;
    }
    if (chars.length > 0) runs.push({ look, col: from, cells: col - from, chars });
  }
  return runs;
}
