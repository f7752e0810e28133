import type { StyledSpan } from '../../../../../contract/block.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';

/** Makes a link one span and removes the address written after it: ` (address)`, with underlined brackets. */
export function withLinks(row: FrameRow): FrameRow {
  const spans: StyledSpan[] = [];
  for (let at = 0; at < row.spans.length; at += 1) {
    const span = row.spans[at];
    const href = span ? addressBehind(row.spans, at) : null;
    if (!span) continue;
    if (href === null) spans.push(span);
    else {
      spans.push({ ...span, href });
      at += ADDRESS_SPANS;
    }
  }
  return { ...row, spans, text: spans.map(({ text }) => text).join('') };
}

/** Spans of a written address: the blank, the bracket, the address, the other bracket. */
const ADDRESS_SPANS = 4;

function addressBehind(spans: readonly StyledSpan[], at: number): string | null {
  const label = spans[at];
  const [blank, open, address, close] = spans.slice(at + 1, at + 1 + ADDRESS_SPANS);
  if (!label?.underline || label.href !== undefined || address?.href === undefined) return null;
  const isWritten = blank?.text === ' ' && open?.text === '(' && close?.text === ')' && open.underline === true;
  return isWritten && address.text === address.href ? address.href : null;
}
