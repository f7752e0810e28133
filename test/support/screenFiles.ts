import { readFileSync } from 'node:fs';
import { type FoldedScreen, foldDelta } from '../../src-main/contract/screen/foldDelta.ts';
import { ScreenDelta, ScreenSnapshot } from '../../src-main/contract/screen/screen.ts';
import type { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';

/** All lines of screen.jsonl but a torn last one. Throws for a line that is no delta. */
export function deltasOf({ screenJsonl }: Pick<SessionFolder, 'screenJsonl'>): ScreenDelta[] {
  return readFileSync(screenJsonl, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => ScreenDelta.parse(JSON.parse(line)));
}

export function snapshotOf({ snapshot }: Pick<SessionFolder, 'snapshot'>): ScreenSnapshot {
  return ScreenSnapshot.parse(JSON.parse(readFileSync(snapshot, 'utf8')));
}

/** Every state of the screen that the deltas lead through. */
export function statesOf(deltas: readonly ScreenDelta[]): FoldedScreen[] {
  const all: FoldedScreen[] = [];
  let screen: FoldedScreen | null = null;
  for (const delta of deltas) {
    screen = foldDelta(screen, delta);
    if (screen) all.push(screen);
  }
  return all;
}

/** What deltas and snapshot must agree on, as the deltas tell it. */
export function toldBy(screen: FoldedScreen | null | undefined): object | null {
  if (!screen) return null;
  const { ts: _ts, rows, ...rest } = screen;
  return { ...rest, texts: rows.map(({ text }) => text) };
}

/** The same, as the snapshot tells it. */
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
