import type { StyledSpan } from '../contract/block.ts';
import type { Frame, FrameRow } from '../contract/screen/frame.ts';
import { graphemesOf } from '../shared/xterm/cellWidths.ts';
import { withoutCovered } from './redactedLines.ts';
import { coveredFromTop, type TextRow } from './secretSpansInRows.ts';

export interface RedactedFrame {
  readonly frame: Frame;
  /** Number of covered secrets. */
  readonly count: number;
}

/** Replaces each cell of a secret. */
const COVER = '█';

/**
 * A frame for outside clients: each cell of a secret is a block. Finds secrets as in the text of a screen; `above`: rows above it, in which a secret
 * may begin.
 */
export function redactedFrame(frame: Frame, above: readonly TextRow[] = []): RedactedFrame {
  const { rows } = frame;
  const units = coveredFromTop([...above, ...rows], frame.cols).slice(above.length);
  const { redactions: count } = withoutCovered(
    rows.map(({ text }) => text),
    units,
  );
  if (count === 0) return { frame, count };
  const covered = rows.map((row, at) => {
    const own = units[at];
    return own && own.size > 0 ? coverRow(row, own) : row;
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
