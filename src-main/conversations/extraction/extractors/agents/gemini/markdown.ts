import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import type { Looks } from '../../../markdown/inline.ts';
import { withLinksWhole } from '../../../markdown/linkRows.ts';
import { fenced, restoreMarkdown } from '../../../markdown/restoreMarkdown.ts';
import { jointOf } from '../../../markdown/softBreak.ts';
import { columnsOf, cutColumns } from '../../../markdown/spans.ts';
import { codeNumberOf, NUMBERED } from './codeNumber.ts';
import { PENDING } from './rules.ts';

/** Rows of an answer, gutter cut off, as Markdown. Its code has numbered lines, which no blank row has to set apart. */
export function answerMarkdown(rows: readonly FrameRow[], cols: number, looks: Looks): string {
  const out: string[] = [];
  let prose: FrameRow[] = [];
  const flush = () => {
    const whole = withLinksWhole(prose, () => true);
    const text = restoreMarkdown(whole.map(withQuote).map(withLinks), cols, looks);
    if (text !== '') out.push(text);
    prose = [];
  };
  const told = rows.filter((row) => !PENDING.test(row.text));
  // The last row of a table is drawn as it is told until its last bar has come; the table's head is missing till then.
  if (/^\s*\|/.test(told.at(-1)?.text ?? '')) told.pop();
  for (let at = 0; at < told.length; ) {
    const code = codeFrom(told, at, cols);
    if (code.to === at) {
      prose.push(told[at] as FrameRow);
      at += 1;
    } else {
      flush();
      out.push(fenced(code.lines));
      at = code.to;
    }
  }
  flush();
  return out.join('\n\n');
}

/** A quote's bar as others draw it; a table has a second one. */
function withQuote(row: FrameRow): FrameRow {
  if (!/^ ?│ [^│]*$/.test(row.text)) return row;
  const at = row.spans.findIndex(({ text }) => text.includes('│'));
  const spans = row.spans.map((span, place) => (place === at ? { ...span, text: span.text.replace('│', '▎') } : span));
  return { ...row, text: row.text.replace('│', '▎'), spans };
}

/**
 * A link is drawn as its text, ` (`, the address in a colour of its own, `)`; an address that was told as it is has the bracket in
 * its colour. Where the link's text begins is not shown: its last word is marked.
 */
function withLinks(row: FrameRow): FrameRow {
  if (!/ \(https?:/.test(row.text)) return row;
  const out = row.spans.map((span) => ({ ...span }));
  for (let at = 1; at + 1 < out.length; at += 1) {
    const [before, address, after] = [out[at - 1], out[at], out[at + 1]];
    const text = before?.text.match(/^(.*?)(\S+) \($/s);
    if (!before || !address || !after || !text || !/^https?:\S+$/.test(address.text)) continue;
    if (!after.text.startsWith(')') || address.fg === before.fg) continue;
    before.text = text[1] ?? '';
    out[at] = { ...before, text: text[2] ?? '', href: address.text };
    after.text = after.text.slice(1);
  }
  return { ...row, spans: out.filter(({ text }) => text !== '') };
}

/** Lines of code from row `at` on, up to but without row `to`; `to` is `at` when there are none. */
function codeFrom(rows: readonly FrameRow[], at: number, cols: number): { lines: string[]; to: number } {
  const lines: string[] = [];
  let to = at;
  let gutter = 0;
  let number = codeNumberOf(rows[at]);
  if (number === null) return { lines, to };
  for (; to < rows.length; to += 1) {
    const row = rows[to];
    const own = codeNumberOf(row);
    const [, marks = '', , code = ''] = NUMBERED.exec(row?.text.trimEnd() ?? '') ?? [];
    if (own !== null && own === number) {
      gutter = marks.length + 1;
      number += 1;
      lines.push(code);
    } else if (row && isMore(row, gutter)) {
      const before = rows[to - 1]?.text ?? '';
      const more = cutColumns(row.text.trimEnd(), gutter, Number.POSITIVE_INFINITY);
      lines[lines.length - 1] += (jointOf(before, more, cols) ?? ' ') + more;
    } else break;
  }
  return { lines, to };
}

/** The rest of a line of code that was too long: blank up to where code begins. */
function isMore(row: FrameRow, gutter: number): boolean {
  const indent = row.text.length - row.text.trimStart().length;
  return row.text.trim() !== '' && indent >= gutter && columnsOf(row.text) > gutter;
}
