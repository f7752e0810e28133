import type { StyledSpan } from '../../contract/block.ts';
import type { Frame, FrameRow } from '../../contract/frame.ts';
import { graphemesOf } from '../../picture/cellWidths.ts';
import { coveredIn, union } from './redactedLines.ts';

export interface RedactedFrame {
  readonly frame: Frame;
  /** Secrets whose cells are blocks. */
  readonly count: number;
}

/** What stands in each cell of a secret. */
const COVER = '█';

/**
 * A frame as it may be shown to an outside client: each cell of a secret is a block. Secrets are looked for as the text of a screen is told
 * (a row a line) and with rows that one line was wrapped into joined, and what either finds is covered.
 */
export function redactedFrame(frame: Frame): RedactedFrame {
  const { rows } = frame;
  const texts = rows.map(({ text }) => text);
  const apart = coveredIn(texts, () => '\n');
  const joined = coveredIn(texts, (at) => (rows[at]?.wrapped ? '' : '\n'));
  const count = Math.max(apart.count, joined.count);
  if (count === 0) return { frame, count };
  const covered = rows.map((row, at) => {
    const own = union(apart.covered[at], joined.covered[at]);
    return own.size === 0 ? row : coverRow(row, own);
  });
  return { frame: { ...frame, rows: covered }, count };
}

function coverRow(row: FrameRow, covered: ReadonlySet<number>): FrameRow {
  let from = 0;
  const spans = row.spans.map((span): StyledSpan => {
    const start = from;
    from += span.text.length;
    return { ...span, text: coverText(span.text, (unit) => covered.has(start + unit)) };
  });
  return { ...row, text: spans.map(({ text }) => text).join(''), spans };
}

function coverText(text: string, isCovered: (unit: number) => boolean): string {
  let at = 0;
  let shown = '';
  for (const { text: own, cells } of graphemesOf(text)) {
    const units = Array.from({ length: own.length }, (_, unit) => at + unit);
    shown += units.some(isCovered) ? COVER.repeat(cells) : own;
    at += own.length;
  }
  return shown;
}
