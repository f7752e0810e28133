import type { StyledSpan } from '../../contract/block.ts';
import type { FrameRow } from '../../contract/frame.ts';
import { joinedLooks } from './inline.ts';
import { keepRow } from './keepRow.ts';
import { cutRow } from './spans.ts';

/** An address in brackets at the start of a row, and what ends a sentence right behind it. */
const ADDRESS = /^\s*\((https?:\S+?)\)[.,;:!?]*(?=\s|$)/;

/** Rows in which an address in brackets stands behind the link it belongs to, also where the row was broken between the two. */
export function withLinksWhole(rows: readonly FrameRow[], isAddress: (span: StyledSpan) => boolean): FrameRow[] {
  const out: FrameRow[] = [];
  for (const row of rows) {
    const before = out.at(-1);
    const found = ADDRESS.exec(row.text);
    const isOwn = found !== null && row.spans.some((span) => span.text === found[1] && isAddress(span));
    if (!before || !isOwn || before.text.trim() === '') {
      out.push(row);
      continue;
    }
    out[out.length - 1] = joined(before, keepRow(row, found[0].length));
    const rest = cutRow(row, found[0].length);
    if (rest.text.trim() !== '') out.push(rest);
  }
  return out;
}

/** Both in one row, a blank between them. */
function joined(row: FrameRow, address: FrameRow): FrameRow {
  const { text, spans } = cutRow(address, address.text.length - address.text.trimStart().length);
  const own = keepRow(row, row.text.trimEnd().length);
  const [first, ...others] = spans;
  const more = first ? [{ ...first, text: ` ${first.text}` }, ...others] : [];
  return { text: `${own.text} ${text}`, spans: joinedLooks([...own.spans, ...more]), wrapped: false };
}
