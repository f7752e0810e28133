import { readFileSync } from 'node:fs';
import { type FoldedScreen, foldDelta } from '../../src-main/contract/screen/foldDelta.ts';
import { ScreenDelta, ScreenSnapshot } from '../../src-main/contract/screen/screenRecord.ts';
import type { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';

/** All deltas of screen.jsonl; skips an incomplete last line. Throws for an invalid line. */
export function deltasOf({ screenJsonl }: Pick<SessionFolder, 'screenJsonl'>): ScreenDelta[] {
  return readFileSync(screenJsonl, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => ScreenDelta.parse(JSON.parse(line)));
}

export function snapshotOf({ snapshot }: Pick<SessionFolder, 'snapshot'>): ScreenSnapshot {
  return ScreenSnapshot.parse(JSON.parse(readFileSync(snapshot, 'utf8')));
}

/** The screen after each delta. */
export function statesOf(deltas: readonly ScreenDelta[]): FoldedScreen[] {
  const all: FoldedScreen[] = [];
  let screen: FoldedScreen | null = null;
  for (const delta of deltas) {
    screen = foldDelta(screen, delta);
    if (screen) all.push(screen);
  }
  return all;
}

/** The fields on which deltas and snapshot must agree, from the folded deltas. */
export function toldBy(screen: FoldedScreen | null | undefined): object | null {
  if (!screen) return null;
  const { ts: _ts, rows, ...rest } = screen;
  return { ...rest, texts: rows.map(({ text }) => text) };
}

/** The same fields, from the snapshot. */
export function shownBy(snapshot: ScreenSnapshot): object {
  const { rows, cursor, title, alt_screen, cols, rows_count, scrollback_total, seq, screen_epoch } = snapshot;
  return {
    texts: rows,
    cursor,
    title,
    altScreen: alt_screen,
    cols,
    rowsCount: rows_count,
    scrollbackTotal: scrollback_total,
    seq,
    epoch: screen_epoch,
  };
}
