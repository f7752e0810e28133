import { readFileSync } from 'node:fs';
import type { ChatSnapshot } from '../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../src-main/contract/screen/frame.ts';
import { type CastEvent, CastReader } from '../../src-main/recordings/formats/CastReader.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { readFrameRow } from '../../src-main/screen/rows/frameRows.ts';

/** Like a recorder, `playCast` takes a snapshot after a pause this long, and at the latest this long after the previous one. */
export const QUIET_MS = 48;
const SCROLLBACK_LINES = 2000;

export interface Moment {
  readonly snapshot: ChatSnapshot;
  /** Time since the start of the recording. */
  readonly atMs: number;
  /** The marker before which the snapshot was taken, or '' if it was taken at no marker. */
  readonly marker: string;
}

/** Plays an asciicast and calls `take` whenever a recorder would take a snapshot, and at every marker. */
export function playCast(path: URL | string, take: (moment: Moment) => void): void {
  const [first = '', ...lines] = readFileSync(path, 'utf8').split('\n');
  const reader = CastReader.open(first);
  if ('problem' in reader) throw new Error(reader.problem);
  const { cols, rows } = reader.header;
  const model = new ScreenModel({ cols, rows, scrollbackLines: SCROLLBACK_LINES });
  let lastMs = 0;
  let lookedMs = 0;
  let isNew = false;
  const look = (marker: string) => {
    lookedMs = lastMs;
    if (isNew || marker !== '') take({ snapshot: snapshotOf(model), atMs: lastMs, marker });
    isNew = false;
  };
  try {
    for (const line of lines) {
      const event = reader.read(line);
      if (!event || 'problem' in event) continue; // a blank line, or a comment
      if (event.atMs - lastMs >= QUIET_MS || (event.atMs > lastMs && event.atMs - lookedMs >= QUIET_MS)) look('');
      if (event.type === 'marker') look(event.text);
      lastMs = event.atMs;
      isNew = apply(model, event) || isNew;
    }
    look('');
  } finally {
    model.dispose();
  }
}

/** Applies an event; returns whether the screen may have changed. */
function apply(model: ScreenModel, event: CastEvent): boolean {
  if (event.type === 'output') model.write(Buffer.from(event.text));
  else if (event.type === 'resize') model.resize(event);
  else return false;
  return true;
}

/** An extractor's input from the current screen: the rows with the scrollback, which the alternate screen does not have. */
export function snapshotOf(model: ScreenModel): ChatSnapshot {
  const frame = model.frame();
  const { active } = model.terminal.buffer;
  const above: FrameRow[] = [];
  for (let at = 0; at < active.baseY; at += 1) above.push(readFrameRow(model.core, active, at));
  return {
    rows: [...above, ...frame.rows],
    screenTop: above.length,
    cols: frame.cols,
    altScreen: frame.altScreen,
    title: frame.title,
    cursorRow: frame.cursor.visible ? frame.cursor.row : null,
  };
}

/** A snapshot of plain lines. */
export function plainSnapshot(text: string, cols = 100): ChatSnapshot {
  const rows = text.split('\n').map((line) => ({ text: line, spans: [{ text: line }], wrapped: false }));
  return { rows, screenTop: 0, cols, altScreen: false, title: '', cursorRow: null };
}
