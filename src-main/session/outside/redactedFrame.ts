import { blankSecrets } from '../../chat/redact/redactSecrets.ts';
import type { StyledSpan } from '../../contract/block.ts';
import type { Frame, FrameRow } from '../../contract/frame.ts';
import { graphemesOf } from '../../picture/cellWidths.ts';

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
  const apart = coveredIn(rows, () => '\n');
  const joined = coveredIn(rows, ({ wrapped }) => (wrapped ? '' : '\n'));
  const count = Math.max(apart.count, joined.count);
  if (count === 0) return { frame, count };
  const covered = rows.map((row, at) => {
    const own = union(apart.covered[at], joined.covered[at]);
    return own.size === 0 ? row : coverRow(row, own);
  });
  return { frame: { ...frame, rows: covered }, count };
}

interface Covered {
  readonly count: number;
  /** Of each row: the UTF-16 units of its text that belong to a secret. */
  readonly covered: readonly ReadonlySet<number>[];
}

function coveredIn(rows: readonly FrameRow[], borderBefore: (row: FrameRow) => string): Covered {
  let text = '';
  const starts = rows.map((row, at) => {
    if (at > 0) text += borderBefore(row);
    const start = text.length;
    text += row.text;
    return start;
  });
  const { text: blanked, count } = blankSecrets(text);
  const covered = rows.map((row, at) => {
    const found = new Set<number>();
    const start = starts[at] ?? 0;
    for (let unit = 0; unit < row.text.length; unit += 1)
      if (text[start + unit] !== blanked[start + unit]) found.add(unit);
    return found;
  });
  return { count, covered };
}

function union(one: ReadonlySet<number> = new Set(), other: ReadonlySet<number> = new Set()): Set<number> {
  return new Set([...one, ...other]);
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
