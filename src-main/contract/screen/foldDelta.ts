import type { NamedDelta } from './screen.ts';
import type { ScreenDelta } from './screenRecord.ts';

/** A screen as the deltas of screen.jsonl describe it: text without attributes. */
export interface FoldedScreen {
  /** Always `rowsCount` rows. */
  readonly rows: readonly FoldedRow[];
  readonly cursor: { readonly row: number; readonly col: number };
  readonly title: string;
  readonly altScreen: boolean;
  readonly cols: number;
  readonly rowsCount: number;
  readonly scrollbackTotal: number;
  readonly seq: number;
  readonly epoch: string;
  /** ms since 1970. */
  readonly ts: number;
}

export interface FoldedRow {
  readonly text: string;
  /** The row continues the one above it. */
  readonly wrapped: boolean;
}

const BLANK: FoldedRow = Object.freeze({ text: '', wrapped: false });

const NOTHING: FoldedScreen = {
  rows: [],
  cursor: { row: 0, col: 0 },
  title: '',
  altScreen: false,
  cols: 0,
  rowsCount: 0,
  scrollbackTotal: 0,
  seq: 0,
  epoch: '',
  ts: 0,
};

/**
 * Applies `delta` to `screen`, the result of the deltas before, or null before the first keyframe. Returns null for a delta before a
 * keyframe or of another epoch, because its base is unknown. Ignores rows outside of the screen.
 */
export function foldDelta(screen: FoldedScreen | null, delta: ScreenDelta): FoldedScreen | null {
  const before = delta.keyframe ? NOTHING : screen;
  if (!before || (!delta.keyframe && before.epoch !== delta.epoch)) return null;
  const rowsCount = delta.rows_count ?? before.rowsCount;
  const scrolledBy = delta.scrolled_by ?? 0;
  const kept = before.rows.slice(0, rowsCount);
  const rows = Array.from({ length: rowsCount }, (_, row) => kept[row + scrolledBy] ?? BLANK);
  for (const { row, text, wrapped } of delta.rows) {
    if (row >= 0 && row < rowsCount) rows[row] = { text, wrapped: wrapped ?? false };
  }
  return {
    rows,
    cursor: delta.cursor ?? before.cursor,
    title: delta.title ?? before.title,
    altScreen: delta.alt_screen ?? before.altScreen,
    cols: delta.cols ?? before.cols,
    rowsCount,
    scrollbackTotal: delta.scrollback_total ?? before.scrollbackTotal,
    seq: delta.seq,
    epoch: delta.epoch,
    ts: delta.ts,
  };
}

/** The screen after all of `deltas`, or null if they contain no keyframe. */
export function foldDeltas(deltas: Iterable<ScreenDelta>, from: FoldedScreen | null = null): FoldedScreen | null {
  let screen = from;
  for (const delta of deltas) screen = foldDelta(screen, delta);
  return screen;
}

/** A keyframe that folds to `screen`. */
export function keyframeFrom(screen: FoldedScreen): ScreenDelta {
  const rows = screen.rows.flatMap(({ text, wrapped }, row) =>
    text === '' && !wrapped ? [] : [{ row, text, ...(wrapped && { wrapped }) }],
  );
  return {
    seq: screen.seq,
    epoch: screen.epoch,
    ts: screen.ts,
    keyframe: true,
    rows,
    cursor: screen.cursor,
    title: screen.title,
    alt_screen: screen.altScreen,
    cols: screen.cols,
    rows_count: screen.rowsCount,
    scrollback_total: screen.scrollbackTotal,
  };
}

/** A delta outside its file, with its type and terminal. */
export function namedDelta(terminalId: string, delta: ScreenDelta): NamedDelta {
  return { type: 'screen_delta', pty_id: terminalId, ...delta };
}
