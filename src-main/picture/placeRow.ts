import type { StyledSpan } from '../contract/block.ts';
import type { FrameRow } from '../contract/screen/frame.ts';
import { graphemesOf } from '../shared/xterm/cellWidths.ts';

/** A character in its place. */
export interface PlacedChar {
  readonly text: string;
  /** Column from 0, and how many columns it takes. */
  readonly col: number;
  readonly cells: number;
}

/** What stands side by side and looks alike. */
export interface PlacedRun {
  readonly look: StyledSpan;
  readonly col: number;
  readonly cells: number;
  readonly chars: readonly PlacedChar[];
}

/** A row as runs in their columns; what would stand right of the last column is left out. */
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
