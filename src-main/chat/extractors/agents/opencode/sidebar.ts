import type { ChatSnapshot } from '../../../../contract/extractor.ts';
import type { FrameRow } from '../../../../contract/frame.ts';

/** A window at most so wide has no column beside the conversation. */
const NARROW_COLS = 120;
/** Columns between the edge of that column and its words. */
const PADDING = 2;
const found = new WeakMap<readonly FrameRow[], number>();

/** The first column of what stands beside the conversation; the screen's width when nothing does. Told by its heading and the count below it. */
export function conversationCols({ rows, screenTop, cols }: ChatSnapshot): number {
  if (cols <= NARROW_COLS) return cols;
  let edge = found.get(rows);
  if (edge === undefined) {
    edge = cols;
    for (let at = screenTop; at + 1 < rows.length; at += 1) {
      const column = rows[at]?.text.search(/(?<=\s{3})Context\s*$/) ?? -1;
      const below = rows[at + 1]?.text.slice(Math.max(0, column)) ?? '';
      if (column > cols / 2 && /^[\d,.]+K? tokens\s*$/.test(below)) edge = column - PADDING;
    }
    found.set(rows, edge);
  }
  return edge;
}
