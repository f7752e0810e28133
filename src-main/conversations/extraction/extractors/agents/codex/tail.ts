import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { jointOf } from '../../../markdown/softBreak.ts';

/**
 * Removes the last line of a streaming answer. Codex draws finished lines one by one, and below them at once the line that it is just
 * receiving: lines between the two may not be drawn yet, and the blank rows between them are not part of the text. An answer of one
 * line does not change.
 */
export function withoutTail(rows: readonly FrameRow[], cols: number): readonly FrameRow[] {
  let last = rows.length - 1;
  while (last > 0 && jointOf(rows[last - 1]?.text.trimEnd() ?? '', rows[last]?.text ?? '', cols) !== null) last -= 1;
  return last > 0 ? rows.slice(0, last) : rows;
}
