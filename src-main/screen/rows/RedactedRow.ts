import type { FrameRow } from '../../contract/screen/frame.ts';

/** Text that stands for a stretch of a row: `chars` units at `at` of what is told, 0 where it is left out, for [from, to) of the row's own text. */
export interface RedactionPlaceholder {
  readonly at: number;
  readonly chars: number;
  readonly from: number;
  readonly to: number;
}

/** A row as it is told to somebody who may not know all of it. */
export interface RedactedRow {
  readonly text: string;
  /** In order, and none within another. */
  readonly standIns: readonly RedactionPlaceholder[];
}

/** Rows that are looked at together, and what is known of where they stand. */
export interface Surroundings {
  readonly cols: number;
  /** So many of them, at their beginning, have left the screen that the others are; they need not have stood right above it. */
  readonly left: number;
  /** At most `count` rows from right above the others, oldest first. */
  above(count: number): readonly FrameRow[];
  /** At most `count` rows that left before the first of them. */
  before(count: number): readonly FrameRow[];
}

/** How rows are told; null when as they are. Asked for each frame that is judged. */
export type TellRows = (rows: readonly FrameRow[], around: Surroundings) => readonly RedactedRow[] | null;

/** A place in what is told as one in the row: within a stand-in the start of what it stands for, or its end. */
export function ownCol({ standIns }: RedactedRow, told: number, side: 'start' | 'end'): number {
  let shift = 0;
  for (const { at, chars, from, to } of standIns) {
    if (told < at || (told === at && (chars > 0 || side === 'end'))) break;
    if (told < at + chars) return side === 'start' ? from : to;
    shift = to - (at + chars);
  }
  return told + shift;
}
