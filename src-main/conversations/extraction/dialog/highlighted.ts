import type { FrameRow } from '../../../contract/screen/frame.ts';

/** A character of a row, by its index in the row's text. */
export interface RowPlace {
  readonly row: FrameRow;
  readonly index: number;
}

/** Returns the index of the place whose background differs from `ground`; null unless exactly one does. */
export function highlighted(places: readonly RowPlace[], ground: RowPlace): number | null {
  const own = backgroundOf(ground);
  const lit = places.flatMap((place, at) => (backgroundOf(place) === own ? [] : [at]));
  return lit.length === 1 ? (lit[0] ?? null) : null;
}

function backgroundOf({ row, index }: RowPlace): string {
  let end = 0;
  for (const { text, bg, fg, inverse } of row.spans) {
    end += text.length;
    if (index < end) return JSON.stringify(inverse ? ['inverse', fg ?? null] : [bg ?? null]);
  }
  return '';
}
