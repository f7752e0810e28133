import type { StyledSpan } from '../../../contract/block.ts';
import type { FrameRow } from '../../../contract/screen/frame.ts';
import { joinedLooks } from './inline.ts';
import { keepRow } from './keepRow.ts';
import { cutRow } from './spans.ts';

/** An address in brackets at the start of a row, and the punctuation after it. The opening bracket may be in the row before. */
const ADDRESS = /^\s*(?<bracket>\(?)(?<address>https?:\S+?)\)[.,;:!?]*(?=\s|$)/;

/** The closing bracket and the punctuation after an address that ends within a row. */
const CLOSERS = /^\)?[.,;:!?]*(?=\s|$)/;

/** Joins an address in brackets to its link if the row was broken between the two. */
export function withLinksWhole(rows: readonly FrameRow[], isAddress: (span: StyledSpan) => boolean): FrameRow[] {
  const out: FrameRow[] = [];
  for (const row of rows) {
    const before = out.at(-1);
    const { end, glue } = before ? ofTheRowBefore(before, row, isAddress) : NOTHING;
    if (!before || end === 0) {
      out.push(row);
      continue;
    }
    out[out.length - 1] = joined(before, keepRow(row, end), glue);
    const rest = cutRow(row, end);
    if (rest.text.trim() !== '') out.push(rest);
  }
  return out;
}

const NOTHING = { end: 0, glue: '' };

/** Returns how many characters of `row` belong to the row before it, and the text to put between the two. */
function ofTheRowBefore(before: FrameRow, row: FrameRow, isAddress: (span: StyledSpan) => boolean): typeof NOTHING {
  const broken = restOfAddress(before, row);
  if (broken > 0) return { end: broken, glue: '' };
  const found = ADDRESS.exec(row.text);
  const { bracket, address } = found?.groups ?? {};
  const isOwn = row.spans.some((span) => span.text === address && isAddress(span));
  const isBroken = before.text.trim() !== '' && (bracket === '(' || before.text.trimEnd().endsWith('('));
  if (!found || !isOwn || !isBroken) return NOTHING;
  return { end: found[0].length, glue: bracket === '(' ? ' ' : '' };
}

/** Counts the characters of `row` that continue an address of the row before, with its closing bracket and punctuation. */
function restOfAddress(before: FrameRow, row: FrameRow): number {
  const last = before.spans.findLast(({ text }) => text.trim() !== '');
  const at = row.spans.findIndex(({ text }) => text.trim() !== '');
  const first = row.spans[at];
  if (last?.href === undefined || first?.href !== last.href) return 0;
  const begun = last.text.trim();
  const isBroken =
    last.href.startsWith('http') && begun !== last.href && last.href.startsWith(begun + first.text.trim());
  if (!isBroken) return 0;
  const end = row.spans.slice(0, at).reduce((sum, { text }) => sum + text.length, 0) + first.text.trimEnd().length;
  return end + (CLOSERS.exec(row.text.slice(end))?.[0].length ?? 0);
}

/** Joins both into one row, with `glue` between them. */
function joined(row: FrameRow, address: FrameRow, glue: string): FrameRow {
  const { text, spans } = cutRow(address, address.text.length - address.text.trimStart().length);
  const own = keepRow(row, row.text.trimEnd().length);
  const [first, ...others] = spans;
  const more = first ? [{ ...first, text: `${glue}${first.text}` }, ...others] : [];
  return { text: `${own.text}${glue}${text}`, spans: joinedLooks([...own.spans, ...more]), wrapped: false };
}
