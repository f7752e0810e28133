import type { Frame, FrameRow } from '../../contract/frame.ts';
import type { NumberedRow, ScreenDiff, ScreenReading } from '../../contract/screen.ts';
import type { FromTerminal, ToolAnswer } from '../Tool.ts';

/** What a reading is asked to tell beside the text. */
export type Include = 'highlights' | 'links' | 'colors' | 'wrapped';

export interface ScreenWish {
  readonly include: readonly Include[];
  readonly maxChars: number;
  /** Rows and columns from 0; `bottom` and `right` belong to it. */
  readonly region?: { top: number; left: number; bottom: number; right: number } | undefined;
}

/** Marks of one screen that are told at most. */
const MAX_MARKS = 200;

/** A reading as a tool tells it (mcp.md, pty_snapshot.out). The facts and the text come from the one frozen frame. */
export function readingAnswer(reading: ScreenReading, wish: ScreenWish): ToolAnswer {
  const facts = {
    pty_id: reading.terminalId,
    seq: reading.seq,
    screen_epoch: reading.epoch,
    hash: reading.hash,
    full: reading.full,
    source: reading.source,
    frame_ts: reading.atMs,
  };
  const above = reading.scrollback.length === 0 ? {} : { scrollback: told(reading, textOf(reading.scrollback, wish)) };
  if (!reading.full) return diffAnswer(reading.diff, { facts, above, wish });
  const { frame } = reading;
  const { text, omitted } = fitted(cut(frame.rows, wish), wish);
  return {
    facts: {
      ...facts,
      ...(reading.reason !== null && { reason: reading.reason.replaceAll('-', '_') }),
      history_truncated: reading.reason === 'history-truncated',
      cols: frame.cols,
      rows_count: frame.rowsCount,
      cursor: frame.cursor,
      alt_screen: frame.altScreen,
      scrollback_total: frame.scrollbackTotal,
      ...(omitted && { omitted }),
      ...marksOf(frame, wish),
    },
    told: { title: frame.title, ...linksOf(frame, wish) },
    text: { ...above, text: told(reading, text) },
  };
}

/** The text of a whole screen, its end where it is longer; empty for a difference. */
export function screenTextOf(reading: ScreenReading, maxChars: number): string {
  return reading.full ? fitted(reading.frame.rows, { include: [], maxChars }).text : '';
}

function diffAnswer(
  diff: ScreenDiff,
  { facts, above, wish }: { facts: object; above: Record<string, FromTerminal>; wish: ScreenWish },
): ToolAnswer {
  const changes = [
    ...diff.changed.map((one) => rowChange(one, 'changed')),
    ...diff.added.map((one) => rowChange(one, 'added')),
    ...diff.removed.map((row) => ({ row, kind: 'removed', text: '' })),
  ].sort((a, b) => a.row - b.row);
  const { cursor, altScreen, cols, rowsCount, scrollbackTotal, title } = diff;
  let chars = 0;
  const kept = changes.filter(({ text }) => {
    chars += text.length + 16; // its number and kind
    return chars <= wish.maxChars;
  });
  return {
    facts: {
      ...facts,
      since: diff.fromSeq,
      history_truncated: false,
      ...(diff.scrolledBy > 0 && { scrolled_by: diff.scrolledBy }),
      ...(cursor && { cursor }),
      ...(altScreen !== undefined && { alt_screen: altScreen }),
      ...(cols !== undefined && { cols }),
      ...(rowsCount !== undefined && { rows_count: rowsCount }),
      ...(scrollbackTotal !== undefined && { scrollback_total: scrollbackTotal }),
      ...(kept.length < changes.length && { omitted: { lines: changes.length - kept.length } }),
      changes: kept.map(({ row, kind }) => ({ row, kind })),
    },
    told: { ...(title !== undefined && { title }), changes: kept.map(({ text }) => ({ text })) },
    text: above,
  };
}

function rowChange({ row, line }: NumberedRow, kind: string): { row: number; kind: string; text: string } {
  return { row, kind, text: line.text.trimEnd() };
}

function told({ terminalId, seq }: ScreenReading, text: string): FromTerminal {
  return { text, about: `pty ${terminalId} · seq ${seq}` };
}

function cut(rows: readonly FrameRow[], { region }: ScreenWish): readonly FrameRow[] {
  if (!region) return rows;
  return rows
    .slice(region.top, region.bottom + 1)
    .map((row) => ({ ...row, text: row.text.slice(region.left, region.right + 1), spans: [] }));
}

/** Rows as lines; rows that one line was wrapped into are joined only where that was asked for. */
export function textOf(rows: readonly FrameRow[], { include }: Pick<ScreenWish, 'include'>): string {
  let text = '';
  for (const [at, row] of rows.entries()) {
    const joins = at > 0 && row.wrapped && include.includes('wrapped');
    text += `${at === 0 || joins ? '' : '\n'}${include.includes('wrapped') ? row.text : row.text.trimEnd()}`;
  }
  return text.trimEnd();
}

/** The end of a screen is where things happen: what does not fit is left out at the top. */
function fitted(
  rows: readonly FrameRow[],
  wish: ScreenWish,
): { text: string; omitted: { lines: number; chars: number } | null } {
  const text = textOf(rows, wish);
  if (text.length <= wish.maxChars) return { text, omitted: null };
  const kept = text.slice(text.indexOf('\n', text.length - wish.maxChars) + 1);
  const left = text.slice(0, text.length - kept.length);
  return { text: kept, omitted: { lines: left.split('\n').length - 1, chars: left.length } };
}

/** Where the look of the text says something: selection bars, what is bold or underlined, and colours where asked for. */
function marksOf({ rows }: Frame, { include }: ScreenWish): object {
  if (!include.includes('highlights') && !include.includes('colors')) return {};
  const highlights: object[] = [];
  for (const [row, { spans }] of rows.entries()) {
    let col = 0;
    for (const span of spans) {
      const len = span.text.length;
      const attrs = include.includes('highlights')
        ? (['inverse', 'bold', 'underline'] as const).filter((attr) => span[attr])
        : [];
      const colors = include.includes('colors')
        ? [span.fg === undefined ? [] : `fg:${span.fg}`, span.bg === undefined ? [] : `bg:${span.bg}`].flat()
        : [];
      if (span.text.trim() !== '' || attrs.includes('inverse'))
        for (const attr of [...attrs, ...colors]) highlights.push({ row, col, len, attr });
      col += len;
    }
  }
  return { highlights: highlights.slice(0, MAX_MARKS) };
}

function linksOf({ rows }: Frame, { include }: ScreenWish): object {
  if (!include.includes('links')) return {};
  const links: object[] = [];
  for (const [row, { spans }] of rows.entries()) {
    let col = 0;
    for (const { text, href } of spans) {
      if (href !== undefined) links.push({ row, col, len: text.length, uri: href });
      col += text.length;
    }
  }
  return { links: links.slice(0, MAX_MARKS) };
}
