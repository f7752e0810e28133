import type { StyledSpan } from '../../contract/block.ts';
import { REDACTED } from '../../redaction/redactedLines.ts';
import type { CoveredRow, Region } from '../../redaction/redactedReading.ts';
import { cellsOf } from '../../redaction/rowCells.ts';
import { slicedUnits } from '../../redaction/secretSpansInRows.ts';

/** Facts that a reading can include in addition to the text. */
export type Include = 'highlights' | 'links' | 'colors' | 'wrapped';

/** Maximum number of marks per screen. */
const MAX_MARKS = 200;

interface Wish {
  readonly include: readonly Include[];
  readonly region?: Region | undefined;
}

/** A run of cells with one style, in coordinates of the whole screen, like the cursor, whatever the region. */
interface Stretch {
  readonly row: number;
  readonly col: number;
  readonly len: number;
  readonly span: StyledSpan;
  readonly isSecret: boolean;
}

type Rows = Iterable<readonly [number, CoveredRow]>;

/** The places where style carries meaning: selection bars, bold or underlined text, and colours on request. */
export function marksOf(rows: Rows, wish: Wish): object {
  const { include } = wish;
  if (!include.includes('highlights') && !include.includes('colors')) return {};
  const highlights = [...stretches(rows, wish)].flatMap(({ row, col, len, span }) => {
    const attrs = include.includes('highlights')
      ? (['inverse', 'bold', 'underline'] as const).filter((attr) => span[attr])
      : [];
    if (span.text.trim() === '' && !attrs.includes('inverse')) return [];
    const colors = include.includes('colors') ? colorsOf(span) : [];
    return [...attrs, ...colors].map((attr) => ({ row, col, len, attr }));
  });
  return { highlights: highlights.slice(0, MAX_MARKS) };
}

/** The links on screen. A link on a secret is redacted too, because its address may contain the secret. */
export function linksOf(rows: Rows, wish: Wish): object {
  if (!wish.include.includes('links')) return {};
  const links = [...stretches(rows, wish)].flatMap(({ row, col, len, span: { href }, isSecret }) =>
    href === undefined ? [] : [{ row, col, len, uri: isSecret ? REDACTED : href }],
  );
  return { links: links.slice(0, MAX_MARKS) };
}

function colorsOf({ fg, bg }: StyledSpan): string[] {
  return [...(fg === undefined ? [] : [`fg:${fg}`]), ...(bg === undefined ? [] : [`bg:${bg}`])];
}

function* stretches(rows: Rows, { region }: Wish): Generator<Stretch> {
  const { top, left, bottom, right } = region ?? { top: 0, left: 0, bottom: Infinity, right: Infinity };
  for (const [row, { line, covered }] of rows) {
    if (row < top || row > bottom) continue;
    let cell = 0;
    let unit = 0;
    for (const span of line.spans) {
      const from = Math.max(cell, left);
      cell += cellsOf(span.text);
      unit += span.text.length;
      const isSecret = slicedUnits(covered, { from: unit - span.text.length, to: unit }).size > 0;
      const len = Math.min(cell, right + 1) - from;
      if (len > 0) yield { row, col: from, len, span, isSecret };
    }
  }
}
