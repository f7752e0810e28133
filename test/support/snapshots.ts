import { readFileSync } from 'node:fs';
import type { ChatSnapshot } from '../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../src-main/contract/screen/frame.ts';
import { type CastEvent, CastReader } from '../../src-main/recordings/formats/CastReader.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { readFrameRow } from '../../src-main/screen/rows/frameRows.ts';

/** A snapshot is taken when the recording has been quiet for so long, and at the latest so long after the one before: as a recorder does. */
export const QUIET_MS = 48;
const SCROLLBACK_LINES = 2000;

export interface Moment {
  readonly snapshot: ChatSnapshot;
  /** Since the start of the recording. */
  readonly atMs: number;
  /** The marker before which it was taken, '' for a moment between two. */
  readonly marker: string;
}

/** Plays an asciicast and tells `take` each moment a recorder would look, and every marker. */
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

/** Whether the screen may look otherwise now. */
function apply(model: ScreenModel, event: CastEvent): boolean {
  if (event.type === 'output') model.write(Buffer.from(event.text));
  else if (event.type === 'resize') model.resize(event);
  else return false;
  return true;
}

/** What an extractor is given of the screen now: the scrollback of the normal screen, nothing but the screen of the alternate. */
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

/** A snapshot of plain lines, as tests write them. */
export function plainSnapshot(text: string, cols = 100): ChatSnapshot {
  const rows = text.split('\n').map((line) => ({ text: line, spans: [{ text: line }], wrapped: false }));
  return { rows, screenTop: 0, cols, altScreen: false, title: '', cursorRow: null };
}
