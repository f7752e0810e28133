import { type FoldedRow, type FoldedScreen, foldDeltas } from '../../contract/screen/foldDelta.ts';
import type { Frame, FrameRow } from '../../contract/screen/frame.ts';
import type { ScreenSnapshot } from '../../contract/screen/screenRecord.ts';
import { readDeltasTo, type ScreenMoment } from '../../store/record/readScreenFile.ts';
import { readSnapshot } from '../../store/record/readSnapshot.ts';
import type { SessionFolder } from '../../store/record/SessionFolder.ts';

/** A screen from its files: text without attributes. */
export interface PersistedScreen {
  readonly frame: Frame;
  readonly epoch: string;
  readonly atMs: number;
  /** The core's hash if the snapshot has exactly this state; otherwise null. */
  readonly hash: string | null;
  /** Oldest first, at most 100; empty if only the deltas are known. */
  readonly scrollback: readonly FrameRow[];
}

/** The last recorded screen of a terminal, or null if there is none. Rejects with errors of the disk. */
export async function readLastScreen(folder: SessionFolder): Promise<PersistedScreen | null> {
  const [snapshot, deltas] = await Promise.all([
    readSnapshot(folder.snapshot),
    readDeltasTo(folder.screenJsonl, 'end'),
  ]);
  const folded = foldDeltas(deltas);
  if (!folded) return snapshot && ofSnapshot(snapshot);
  if (!snapshot) return ofFolded(folded, null);
  return isNewer(snapshot, folded) ? ofSnapshot(snapshot) : ofFolded(folded, snapshot);
}

/** The screen at a moment, or null if that is not recorded (any more). */
export async function readScreenAt(folder: SessionFolder, moment: ScreenMoment): Promise<PersistedScreen | null> {
  if (moment === 'end') return readLastScreen(folder);
  const [snapshot, deltas] = await Promise.all([
    readSnapshot(folder.snapshot),
    readDeltasTo(folder.screenJsonl, moment),
  ]);
  const folded = foldDeltas(deltas);
  return folded && ofFolded(folded, snapshot);
}

/** Compares them, because the disk may have refused one file and not the other. Clocks jump, so times only order different runs. */
function isNewer(snapshot: ScreenSnapshot, folded: FoldedScreen): boolean {
  return snapshot.screen_epoch === folded.epoch ? snapshot.seq > folded.seq : snapshot.ts > folded.ts;
}

/** Uses both if they have the same state: the deltas know which rows are wrapped, the snapshot has the rows above the screen. */
function ofFolded(folded: FoldedScreen, snapshot: ScreenSnapshot | null): PersistedScreen {
  const isSame = snapshot?.screen_epoch === folded.epoch && snapshot.seq === folded.seq;
  return {
    frame: frameOf(folded),
    epoch: folded.epoch,
    atMs: folded.ts,
    hash: isSame ? snapshot.hash : null,
    scrollback: isSame ? snapshot.scrollback.map((text) => rowOf({ text, wrapped: false })) : [],
  };
}

function ofSnapshot(snapshot: ScreenSnapshot): PersistedScreen {
  const plain = (text: string): FoldedRow => ({ text, wrapped: false });
  const { cursor, title, cols, seq, ts } = snapshot;
  return {
    frame: frameOf({
      rows: Array.from({ length: snapshot.rows_count }, (_, row) => plain(snapshot.rows[row] ?? '')),
      cursor,
      title,
      altScreen: snapshot.alt_screen,
      cols,
      rowsCount: snapshot.rows_count,
      scrollbackTotal: snapshot.scrollback_total,
      seq,
      epoch: snapshot.screen_epoch,
      ts,
    }),
    epoch: snapshot.screen_epoch,
    atMs: ts,
    hash: snapshot.hash,
    scrollback: snapshot.scrollback.map((text) => rowOf(plain(text))),
  };
}

function frameOf({
  rows,
  cursor,
  title,
  altScreen,
  cols,
  rowsCount,
  scrollbackTotal,
  seq,
  epoch,
}: FoldedScreen): Frame {
  return {
    rows: rows.map(rowOf),
    cursor: { ...cursor, visible: true }, // not recorded
    title,
    altScreen,
    cols,
    rowsCount,
    scrollbackTotal,
    seq,
    epoch: Number(epoch.split('.').at(-1)) || 0,
  };
}

function rowOf({ text, wrapped }: FoldedRow): FrameRow {
  return { text, spans: text === '' ? [] : [{ text }], wrapped };
}
