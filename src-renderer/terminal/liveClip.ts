/** Where things stand in an emulator's buffer. Lines count from the oldest that is kept; all are of the buffer shown now. */
export interface LiveBuffer {
  rows: number;
  /** First line of the screen proper. */
  baseLine: number;
  /** First line that the viewport shows; less than `baseLine` while scrolled back. */
  viewLine: number;
  /** Last line that holds anything, the cursor's included. */
  lastLine: number;
  /** The cursor stands alone at the start of an empty last line. */
  endsEmpty: boolean;
}

/** The part of the viewport that belongs to one card, in rows. */
export interface LiveClip {
  /** Rows of the viewport above the part: moved out of sight. */
  skipRows: number;
  /** Rows that are shown. */
  rows: number;
  /**
   * The last of them is the empty line where the cursor waits. It hangs into the card's own lower margin, because it will
   * not be part of the finished text and the card must not shrink when the command ends.
   */
  hangsRow: boolean;
}

/**
 * What of the viewport shows lines from `firstLine` to the last with content (or to `endLine`, exclusive, once the command is over).
 * Grows with its content up to the whole viewport, and then the viewport scrolls in it.
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
 * What of the viewport is shown where a client's question, a long draft or another window's size leaves room for `roomRows` only: its last
 * rows with content, since a shell's prompt and an agent's question are there. undefined where all of them have room.
 */
export function roomClip(buffer: LiveBuffer, roomRows: number): LiveClip | undefined {
  const used = clamp(buffer.lastLine + 1 - buffer.viewLine, 0, buffer.rows);
  const skipRows = Math.max(0, used - Math.max(1, roomRows));
  return skipRows === 0 ? undefined : { skipRows, rows: buffer.rows - skipRows, hangsRow: false };
}

/** Whether the wheel moves the emulator's viewport within the card; otherwise the list takes it. */
export function takesWheel(buffer: LiveBuffer, firstLine: number, deltaY: number): boolean {
  if (deltaY < 0) return buffer.viewLine > Math.max(0, firstLine);
  return deltaY > 0 && buffer.viewLine < buffer.baseLine;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
