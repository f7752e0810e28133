import type { StyledSpan } from '../../../../../contract/block.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { withLinksWhole } from '../../../markdown/linkRows.ts';
import { restoreMarkdown } from '../../../markdown/restoreMarkdown.ts';
import { LOOKS } from './looks.ts';

const QUOTE = /^\s*> /;
/** A line between parts of an answer. */
const BREAK = /^———\s*$/;

/** Rows of an answer, gutter cut off, as Markdown. */
export function answerMarkdown(rows: readonly FrameRow[], cols: number): string {
  const whole = withLinksWhole(rows.filter(isOwn), ({ text, href }) => text === href);
  return restoreMarkdown(whole.map(withoutShow), cols, LOOKS);
}

const ITEM = /^( *)(?:•|\d{1,3}\.) /;

/** Not the blank row that is drawn behind a list within a list, before the outer one goes on. */
function isOwn(row: FrameRow, at: number, rows: readonly FrameRow[]): boolean {
  if (row.text.trim() !== '') return true;
  const [inner, outer] = [rows[at - 1], rows[at + 1]].map((next) => ITEM.exec(next?.text ?? '')?.[1]?.length);
  return inner === undefined || outer === undefined || inner <= outer;
}

/** A row without what Codex adds to show it, and a quote with the bar that others draw: its colour, the address behind a link, dashes of a break. */
function withoutShow(row: FrameRow): FrameRow {
  if (BREAK.test(row.text)) return { text: '---', spans: [{ text: '---' }], wrapped: false };
  if (QUOTE.test(row.text)) return withBar(row);
  return row.spans.some(({ href }) => href !== undefined) ? { ...row, spans: withoutAddresses(row.spans) } : row;
}

/** Every row of a quote has its sign: as a bar it keeps rows from being joined into one line with signs amid it. */
function withBar({ text, spans, ...row }: FrameRow): FrameRow {
  const at = spans.findIndex((span) => span.text.includes('>'));
  const own = spans.map(({ fg: _, ...span }, place) =>
    place === at ? { ...span, text: span.text.replace('>', '▎') } : span,
  );
  return { ...row, text: text.replace('>', '▎'), spans: own };
}

/** `link (address)`, both of them links: without the address. */
function withoutAddresses(spans: readonly StyledSpan[]): StyledSpan[] {
  const out = spans.map((span) => ({ ...span }));
  for (let at = 1; at + 2 < out.length; at += 1) {
    const [link, open, address, close] = [out[at - 1], out[at], out[at + 1], out[at + 2]];
    if (!link?.href || link.text === link.href || !open || !address || !close) continue;
    if (open.text !== ' (' || address.text !== link.href || !close.text.startsWith(')')) continue;
    open.text = '';
    address.text = '';
    close.text = close.text.slice(1);
  }
  return out.filter(({ text }) => text !== '');
}
