import type { StyledSpan } from '../../contract/block.ts';
import type { FrameRow } from '../../contract/frame.ts';
import { joinedLooks } from './inline.ts';
import { keepRow } from './keepRow.ts';
import { cutRow } from './spans.ts';

/** An address in brackets at the start of a row, the first of which may stand in the row before, and what ends a sentence right behind it. */
const ADDRESS = /^\s*(?<bracket>\(?)(?<address>https?:\S+?)\)[.,;:!?]*(?=\s|$)/;

/** Rows in which an address in brackets stands behind the link it belongs to, also where the row was broken between the two. */
export function withLinksWhole(rows: readonly FrameRow[], isAddress: (span: StyledSpan) => boolean): FrameRow[] {
  const out: FrameRow[] = [];
  for (const row of rows) {
    const before = out.at(-1);
    const found = ADDRESS.exec(row.text);
    const { bracket, address } = found?.groups ?? {};
    const isOwn = row.spans.some((span) => span.text === address && isAddress(span));
    const isBroken = before?.text.trim() !== '' && (bracket === '(' || before?.text.trimEnd().endsWith('('));
    if (!before || !found || !isOwn || !isBroken) {
      out.push(row);
      continue;
    }
    out[out.length - 1] = joined(before, keepRow(row, found[0].length), bracket === '(' ? ' ' : '');
    const rest = cutRow(row, found[0].length);
    if (rest.text.trim() !== '') out.push(rest);
  }
  return out;
}

/** Both in one row, `glue` between them. */
function joined(row: FrameRow, address: FrameRow, glue: string): FrameRow {
  const { text, spans } = cutRow(address, address.text.length - address.text.trimStart().length);
  const own = keepRow(row, row.text.trimEnd().length);
  const [first, ...others] = spans;
  const more = first ? [{ ...first, text: `${glue}${first.text}` }, ...others] : [];
  return { text: `${own.text}${glue}${text}`, spans: joinedLooks([...own.spans, ...more]), wrapped: false };
}
