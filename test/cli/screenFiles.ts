import { writeFileSync } from 'node:fs';
import type { ScreenDelta, ScreenSnapshot } from '../../src-main/contract/screen/screenRecord.ts';
import { ScreenFile } from '../../src-main/store/record/ScreenFile.ts';
import type { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';

/** Writes the deltas of a screen as a core leaves them. */
export async function writeDeltas(folder: SessionFolder, deltas: readonly ScreenDelta[]): Promise<void> {
  const file = new ScreenFile(folder.screenJsonl, {
    clock: systemClock,
    log: silentLog,
    onKeyframeWanted: () => undefined,
  });
  for (const delta of deltas) file.append(delta);
  await file.close();
}

export function writeSnapshot(folder: SessionFolder, change: Partial<ScreenSnapshot>): void {
  const snapshot: ScreenSnapshot = {
    version: 1,
    rows: [],
    cursor: { row: 0, col: 0 },
    title: '',
    alt_screen: false,
    cols: 80,
    rows_count: 24,
    scrollback: [],
    scrollback_total: 0,
    seq: 1,
    screen_epoch: 'a.1',
    hash: '0123456789abcdef',
    ts: 0,
    ...change,
  };
  writeFileSync(folder.snapshot, `${JSON.stringify(snapshot)}\n`, { mode: 0o600 });
}

/** A keyframe of an 80×24 screen with these rows from the top. */
export function keyframe(seq: number, rows: readonly string[], change: Partial<ScreenDelta> = {}): ScreenDelta {
  return {
    seq,
    epoch: 'a.1',
    ts: seq * 1_000,
    keyframe: true,
    rows: rows.map((text, row) => ({ row, text })),
    cursor: { row: 0, col: 0 },
    title: 'a title',
    alt_screen: false,
    cols: 80,
    rows_count: 24,
    scrollback_total: 3,
    ...change,
  };
}

export function delta(seq: number, rows: ScreenDelta['rows'], change: Partial<ScreenDelta> = {}): ScreenDelta {
  return { seq, epoch: 'a.1', ts: seq * 1_000, rows, ...change };
}
