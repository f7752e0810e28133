/** Positions in an emulator's active buffer. Lines count from the oldest kept one. */
export interface LiveBuffer {
  rows: number;
  /** First line of the screen proper. */
  baseLine: number;
  /** First line that the viewport shows; less than `baseLine` while scrolled back. */
  viewLine: number;
  /** Last line with content; the cursor's line counts. */
  lastLine: number;
  /** The cursor is at the start of an empty last line. */
  endsEmpty: boolean;
}

/** The part of the viewport that belongs to one card, in rows. */
export interface LiveClip {
  /** Rows of the viewport above the part, which are hidden. */
  skipRows: number;
  /** Rows of the part. */
  rows: number;
  /**
   * The last row is the empty line with the cursor. It overlaps the card's own lower margin, because the finished text will not have it and the card
   * must not shrink when the command ends.
   */
  hangsRow: boolean;
}

/**
 * The part of the viewport from `firstLine` to the last line with content, or to `endLine`, exclusive, once the command is over.
 * Grows with its content up to the whole viewport; then the viewport scrolls in it.
 */
export function liveClip(buffer: LiveBuffer, firstLine: number, endLine?: number): LiveClip {
  const viewEnd = buffer.viewLine + buffer.rows;
  const contentEnd = Math.min(endLine ?? buffer.lastLine + 1, viewEnd);
  const skipRows = clamp(firstLine - buffer.viewLine, 0, buffer.rows);
  const rows = clamp(contentEnd - buffer.viewLine - skipRows, 0, buffer.rows - skipRows);
  const hangsRow = endLine === undefined && buffer.endsEmpty && rows > 0 && buffer.lastLine < viewEnd;
  return { skipRows, rows, hangsRow };
}

/**
 * The part of the viewport to show when a client's question, a long draft or another window's size leaves only `roomRows`: its last rows with
 * content, because a shell's prompt or an agent's question is there. undefined if all rows fit.
 */
export function roomClip(buffer: LiveBuffer, roomRows: number): LiveClip | undefined {
  const used = clamp(buffer.lastLine + 1 - buffer.viewLine, 0, buffer.rows);
  const skipRows = Math.max(0, used - Math.max(1, roomRows));
  return skipRows === 0 ? undefined : { skipRows, rows: buffer.rows - skipRows, hangsRow: false };
}

/** Whether the wheel scrolls the emulator's viewport within the card; otherwise it scrolls the list. */
export function takesWheel(buffer: LiveBuffer, firstLine: number, deltaY: number): boolean {
  if (deltaY < 0) return buffer.viewLine > Math.max(0, firstLine);
  return deltaY > 0 && buffer.viewLine < buffer.baseLine;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
