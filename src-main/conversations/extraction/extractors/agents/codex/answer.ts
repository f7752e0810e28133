import type { StyledSpan } from '../../../../../contract/block.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { withLinksWhole } from '../../../markdown/linkRows.ts';
import { restoreMarkdown } from '../../../markdown/restoreMarkdown.ts';
import { LOOKS } from './looks.ts';

const QUOTE = /^\s*> /;
/** A line between parts of an answer. */
const BREAK = /^———\s*$/;

/** Rows of an answer, without their gutter, as Markdown. */
export function answerMarkdown(rows: readonly FrameRow[], cols: number): string {
  const whole = withLinksWhole(rows.filter(isOwn), ({ text, href }) => text === href);
  return restoreMarkdown(whole.map(withoutShow), cols, LOOKS);
}

const ITEM = /^( *)(?:•|\d{1,3}\.) /;

/** Excludes the blank row that is drawn after a nested list before the outer list continues. */
function isOwn(row: FrameRow, at: number, rows: readonly FrameRow[]): boolean {
  if (row.text.trim() !== '') return true;
  const [inner, outer] = [rows[at - 1], rows[at + 1]].map((next) => ITEM.exec(next?.text ?? '')?.[1]?.length);
  return inner === undefined || outer === undefined || inner <= outer;
}

/** A row without Codex's additions (a quote's colour, the address after a link, dashes of a break); a quote gets the usual bar. */
function withoutShow(row: FrameRow): FrameRow {
  if (BREAK.test(row.text)) return { text: '---', spans: [{ text: '---' }], wrapped: false };
  if (QUOTE.test(row.text)) return withBar(row);
  return row.spans.some(({ href }) => href !== undefined) ? { ...row, spans: withoutAddresses(row.spans) } : row;
}

/** Replaces the sign in each row of a quote by a bar, so that rows are not joined into one line with signs inside. */
function withBar({ text, spans, ...row }: FrameRow): FrameRow {
  const at = spans.findIndex((span) => span.text.includes('>'));
  const own = spans.map(({ fg: _, ...span }, place) =>
    place === at ? { ...span, text: span.text.replace('>', '▎') } : span,
  );
  return { ...row, text: text.replace('>', '▎'), spans: own };
}

/** Removes the address of `link (address)`, where both are links. */
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
