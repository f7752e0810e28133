import type { FrameRow } from '../../contract/screen/frame.ts';

/** A placeholder for columns [from, to) of a row's own text: `chars` units at `at` of the redacted text, 0 if nothing replaces them. */
export interface RedactionPlaceholder {
  readonly at: number;
  readonly chars: number;
  readonly from: number;
  readonly to: number;
}

/** A row as a reader gets it who may not see all of it. */
export interface RedactedRow {
  readonly text: string;
  /** Ascending, none inside another. */
  readonly standIns: readonly RedactionPlaceholder[];
}

/** Facts about rows that are examined together. */
export interface Surroundings {
  readonly cols: number;
  /** The first `left` rows have left the screen on which the others are; they need not have been right above it. */
  readonly left: number;
  /** At most `count` rows from right above the others, oldest first. */
  above(count: number): readonly FrameRow[];
  /** At most `count` rows that left before the first of them. */
  before(count: number): readonly FrameRow[];
}

/** Redacts rows; null if nothing changes. Called for each frame that a wait judges. */
export type TellRows = (rows: readonly FrameRow[], around: Surroundings) => readonly RedactedRow[] | null;

/** Converts a column of the redacted text to one of the row: inside a placeholder, to the start or end of the text it replaces. */
export function ownCol({ standIns }: RedactedRow, told: number, side: 'start' | 'end'): number {
  let shift = 0;
  for (const { at, chars, from, to } of standIns) {
    if (told < at || (told === at && (chars > 0 || side === 'end'))) break;
    if (told < at + chars) return side === 'start' ? from : to;
    shift = to - (at + chars);
  }
  return told + shift;
}
