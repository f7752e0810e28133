import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { keepColumns } from '../../../markdown/keepRow.ts';
import { columnsOf } from '../../../markdown/spans.ts';

const LOWER = /^▄{8}/;
const UPPER = /^▀{8}/;
const TYPED = /^ [>!*$](?: |$)/;
/** A scroll bar's thumb in the last columns, and its track. */
const THUMB = /\s[█▄▀]\s*$/;
const TRACK = /\s[█▄▀│┃]\s*$/;
/** Part of the rows that must have a track in the same column: a box that a program draws has fewer. */
const TRACKED = 0.6;

/** Returns the snapshot with the bars of later versions: up to 0.34, the input box had `▀` above and `▄` below. */
export function withBarsUpright(snapshot: ChatSnapshot): ChatSnapshot {
  const { rows } = snapshot;
  const isTurned = rows.some((row, at) => UPPER.test(row.text) && TYPED.test(rows[at + 1]?.text ?? ''));
  return isTurned ? { ...snapshot, rows: rows.map(turned) } : snapshot;
}

function turned(row: FrameRow): FrameRow {
  const [from, to] = LOWER.test(row.text) ? ['▄', '▀'] : UPPER.test(row.text) ? ['▀', '▄'] : [];
  if (from === undefined || to === undefined) return row;
  const swapped = (text: string) => text.replaceAll(from, to);
  const spans = row.spans.map((span) => ({ ...span, text: swapped(span.text) }));
  return { ...row, text: swapped(row.text), spans };
}

/** The row without a scroll bar in the last columns of the alternate buffer. */
export function withoutScrollBar(row: FrameRow, { rows, screenTop, cols, altScreen }: ChatSnapshot): FrameRow {
  if (!altScreen) return row;
  const width = columnsOf(row.text.trimEnd());
  if (width < cols - 1 || !TRACK.test(row.text)) return row;
  const shown = rows.slice(screenTop).map(({ text }) => text);
  const isBar = (match: RegExp) => (text: string) => match.test(text) && columnsOf(text.trimEnd()) === width;
  const hasTrack = shown.some(isBar(THUMB)) && shown.filter(isBar(TRACK)).length >= shown.length * TRACKED;
  if (!THUMB.test(row.text) && !hasTrack) return row;
  const kept = keepColumns(row, width - 1);
  return keepColumns(kept, columnsOf(kept.text.trimEnd()));
}
