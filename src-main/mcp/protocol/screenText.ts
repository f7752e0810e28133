import type { Frame, FrameRow } from '../../contract/screen/frame.ts';
import type { ScreenDiff, ScreenReading } from '../../contract/screen/screen.ts';
import { type CoveredRow, coveredReading, type Region, shownRows } from '../../redaction/redactedReading.ts';
import { toldHash } from './redactedHash.ts';
import { type Include, linksOf, marksOf } from './screenMarks.ts';
import type { FromTerminal, ToolAnswer } from './Tool.ts';

export type { Include };

export interface ScreenWish {
  readonly include: readonly Include[];
  /** For the text and the scrollback together. */
  readonly maxChars: number;
  /** In cells of the screen. The text is cut to the region; rows, columns, marks and the cursor keep the coordinates of the whole screen. */
  readonly region?: Region | undefined;
  /** Number of scrollback rows in the answer; all by default. The reading may contain more, so that secrets are found whole. */
  readonly scrollback?: number | undefined;
}

/** Characters for a row's number and kind, in addition to its text. */
const CHANGE_CHARS = 16;

/** A reading as a tool's answer (mcp.md, pty_snapshot.out). Facts and text come from the same frozen frame. */
export function readingAnswer(reading: ScreenReading, wish: ScreenWish): ToolAnswer {
  const covered = coveredReading(reading, wish.scrollback);
  const above = shownRows(covered.scrollback);
  const shown = reading.full ? wholeScreen(covered.rows, wish) : changedRows(reading.diff, covered.rows, wish);
  const aboveText = fitted(textOf(above.rows, wish), wish.maxChars - shown.chars);
  const omitted = sum(shown.omitted, aboveText.omitted);
  const { frame } = reading;
  const title = reading.full ? reading.frame.title : (frame?.title ?? reading.diff.title);
  return {
    facts: {
      pty_id: reading.terminalId,
      seq: reading.seq,
      screen_epoch: reading.epoch,
      hash: toldHash(reading.hash),
      full: reading.full,
      source: reading.source,
      frame_ts: reading.atMs,
      history_truncated: reading.full && reading.reason === 'history-truncated',
      ...(reading.full && reading.reason !== null && { reason: reading.reason.replaceAll('-', '_') }),
      ...(frame ? frameFacts(frame) : reading.full ? {} : diffFacts(reading.diff)),
      ...(omitted.chars > 0 && { omitted }),
      ...shown.facts,
      ...marksOf(shown.marked, wish),
    },
    told: {
      ...(title !== undefined && { title }),
      ...shown.told,
      ...linksOf(shown.marked, wish),
    },
    text: {
      ...(aboveText.text !== '' && { scrollback: told(reading, aboveText.text) }),
      ...(shown.text !== null && { text: told(reading, shown.text) }),
    },
    ...(shown.redactions + above.redactions > 0 && { redactions: shown.redactions + above.redactions }),
  };
}

/** The text of a whole screen, cut at its start if too long; empty for a difference. */
export function screenTextOf(reading: ScreenReading, maxChars: number): { text: string; redactions: number } {
  if (!reading.full) return { text: '', redactions: 0 };
  const { text, redactions } = wholeScreen(coveredReading(reading, 0).rows, { include: [], maxChars });
  return { text: text ?? '', redactions };
}

interface Omitted {
  readonly lines: number;
  readonly chars: number;
}

/** The screen's part of the answer: its text, or the changed rows. */
interface Shown {
  readonly facts: object;
  readonly told: object;
  readonly text: string | null;
  readonly chars: number;
  readonly omitted: Omitted;
  readonly redactions: number;
  /** Rows whose marks and links are included. */
  readonly marked: readonly (readonly [number, CoveredRow])[];
}

type Rows = ReadonlyMap<number, CoveredRow>;

function wholeScreen(rows: Rows, wish: ScreenWish): Shown {
  const within = [...rows].filter(([row]) => isWithin(row, wish));
  const shown = shownRows(
    within.map(([, own]) => own),
    wish.region,
  );
  const { text, omitted } = fitted(textOf(shown.rows, wish), wish.maxChars);
  return { facts: {}, told: {}, text, chars: text.length, omitted, redactions: shown.redactions, marked: within };
}

function changedRows(diff: ScreenDiff, rows: Rows, wish: ScreenWish): Shown {
  const changes = [
    ...diff.changed.map(({ row }) => ({ row, kind: 'changed' })),
    ...diff.added.map(({ row }) => ({ row, kind: 'added' })),
    ...diff.removed.map((row) => ({ row, kind: 'removed' })),
  ]
    .filter(({ row }) => isWithin(row, wish))
    .sort((a, b) => a.row - b.row);
  const standing = changes.flatMap(({ row, kind }) => {
    const own = kind === 'removed' ? undefined : rows.get(row);
    return own ? [[row, own] as const] : [];
  });
  const { rows: lines, redactions } = shownRows(
    standing.map(([, own]) => own),
    wish.region,
  );
  const texts = new Map(standing.map(([row], at) => [row, lines[at]?.text.trimEnd() ?? '']));
  const all = changes.map((change) => ({ ...change, text: texts.get(change.row) ?? '' }));
  let chars = 0;
  const kept = all.filter(({ text }) => {
    const isKept = chars + text.length + CHANGE_CHARS <= wish.maxChars;
    chars += isKept ? text.length + CHANGE_CHARS : 0;
    return isKept;
  });
  const left = all.filter((change) => !kept.includes(change));
  return {
    facts: {
      since: diff.fromSeq,
      ...(diff.scrolledBy > 0 && { scrolled_by: diff.scrolledBy }),
      changes: kept.map(({ row, kind }) => ({ row, kind })),
    },
    told: { changes: kept.map(({ text }) => ({ text })) },
    text: null,
    chars,
    omitted: { lines: left.length, chars: left.reduce((all, { text }) => all + text.length + CHANGE_CHARS, 0) },
    redactions,
    marked: standing.filter(([row]) => kept.some((change) => change.row === row)),
  };
}

function isWithin(row: number, { region }: ScreenWish): boolean {
  return !region || (row >= region.top && row <= region.bottom);
}

function frameFacts(frame: Frame): object {
  return {
    cols: frame.cols,
    rows_count: frame.rowsCount,
    cursor: frame.cursor,
    alt_screen: frame.altScreen,
    scrollback_total: frame.scrollbackTotal,
  };
}

/** The facts of a frame that a difference contains. */
function diffFacts({ cursor, altScreen, cols, rowsCount, scrollbackTotal }: ScreenDiff): object {
  return {
    ...(cursor && { cursor }),
    ...(altScreen !== undefined && { alt_screen: altScreen }),
    ...(cols !== undefined && { cols }),
    ...(rowsCount !== undefined && { rows_count: rowsCount }),
    ...(scrollbackTotal !== undefined && { scrollback_total: scrollbackTotal }),
  };
}

function told({ terminalId, seq }: ScreenReading, text: string): FromTerminal {
  return { text, about: `pty ${terminalId} · seq ${seq}` };
}

/** Rows as lines; joins the rows of a wrapped line only if requested. */
export function textOf(rows: readonly FrameRow[], { include }: Pick<ScreenWish, 'include'>): string {
  let text = '';
  for (const [at, row] of rows.entries()) {
    const joins = at > 0 && row.wrapped && include.includes('wrapped');
    text += `${at === 0 || joins ? '' : '\n'}${include.includes('wrapped') ? row.text : row.text.trimEnd()}`;
  }
  return text.trimEnd();
}

/** Keeps the end of a text, where things happen, and drops the start, by whole lines if possible. */
function fitted(text: string, maxChars: number): { text: string; omitted: Omitted } {
  if (text.length <= maxChars) return { text, omitted: { lines: 0, chars: 0 } };
  const from = text.length - Math.max(0, maxChars);
  const lineStart = text.indexOf('\n', from - 1) + 1;
  const kept = text.slice(lineStart > 0 ? lineStart : from);
  const left = text.slice(0, text.length - kept.length);
  const lines = left.split('\n').length - (left.endsWith('\n') ? 1 : 0);
  return { text: kept, omitted: { lines, chars: left.length } };
}

function sum(one: Omitted, other: Omitted): Omitted {
  return { lines: one.lines + other.lines, chars: one.chars + other.chars };
}
