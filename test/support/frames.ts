import fc from 'fast-check';
import type { StyledSpan } from '../../src-main/contract/block.ts';
import type { Frame, FrameRow } from '../../src-main/contract/screen/frame.ts';

/** A row of plain text or of spans. */
export function rowOf(content: string | readonly StyledSpan[], wrapped = false): FrameRow {
  const spans = typeof content === 'string' ? (content === '' ? [] : [{ text: content }]) : content;
  return { text: spans.map(({ text }) => text).join(''), spans, wrapped };
}

/** A frame with `rows`; `rest` overrides the defaults. */
export function frameOf(rows: readonly (string | FrameRow)[], rest: Partial<Frame> = {}): Frame {
  return {
    rows: rows.map((row) => (typeof row === 'string' ? rowOf(row) : row)),
    cursor: { row: 0, col: 0, visible: true },
    title: '',
    altScreen: false,
    cols: 80,
    rowsCount: rows.length,
    scrollbackTotal: 0,
    seq: 1,
    epoch: 0,
    ...rest,
  };
}

const row: fc.Arbitrary<FrameRow> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(rowOf('')) },
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', '$ ', 'line 1', 'line 2').map((text) => rowOf(text)) },
  { weight: 1, arbitrary: fc.constantFrom('a', 'b').map((text) => rowOf(text, true)) },
  { weight: 1, arbitrary: fc.constantFrom('a', 'b').map((text) => rowOf([{ text, inverse: true }])) },
  { weight: 1, arbitrary: fc.constant(rowOf('', true)) },
);

/** Any frame. Rows repeat often, so that scrolls and accidental matches occur. */
export const anyFrame: fc.Arbitrary<Frame> = fc
  .record({
    rows: fc.array(row, { minLength: 1, maxLength: 12 }),
    row: fc.nat(3),
    col: fc.nat(3),
    visible: fc.boolean(),
    title: fc.constantFrom('', 'vim'),
    altScreen: fc.boolean(),
    cols: fc.constantFrom(80, 40),
    scrollbackTotal: fc.nat(2),
    seq: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ rows, row: at, col, visible, ...rest }) => frameOf(rows, { cursor: { row: at, col, visible }, ...rest }));

/** A frame, and the next one after a scroll and changes of some rows, as a program makes them. */
export const frameAndNext: fc.Arbitrary<[Frame, Frame]> = fc
  .tuple(anyFrame, fc.nat(4), fc.array(fc.tuple(fc.nat(11), row), { maxLength: 4 }))
  .map(([frame, shift, changes]) => {
    const rows = frame.rows.map((_, at) => frame.rows[at + shift] ?? rowOf(''));
    for (const [at, changed] of changes) if (at < rows.length) rows[at] = changed;
    return [frame, { ...frame, rows, seq: frame.seq + 1 }];
  });
