import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import type { Looks } from '../../../markdown/inline.ts';
import { withLinksWhole } from '../../../markdown/linkRows.ts';
import { fenced, restoreMarkdown } from '../../../markdown/restoreMarkdown.ts';
import { jointOf } from '../../../markdown/softBreak.ts';
import { columnsOf, cutColumns } from '../../../markdown/spans.ts';
import { codeNumberOf, NUMBERED } from './codeNumber.ts';
import { PENDING } from './rules.ts';

/** How an answer is drawn. `isGrowing`: more of it may come. */
export interface Drawn {
  readonly looks: Looks;
  readonly isGrowing: boolean;
}

/** Rows of an answer, without their gutter, as Markdown. Its code has numbered lines, so no blank rows are needed around it. */
export function answerMarkdown(rows: readonly FrameRow[], cols: number, { looks, isGrowing }: Drawn): string {
  const out: string[] = [];
  let prose: FrameRow[] = [];
  const flush = () => {
    const whole = withLinksWhole(prose, () => true);
    const text = restoreMarkdown(whole.map(withQuote).map(withLinks), cols, looks);
    if (text !== '') out.push(text);
    prose = [];
  };
  const told = rows.filter((row) => !PENDING.test(row.text));
  // The last row of a table is drawn as raw text until its last bar has come; until then the table's head is missing.
  if (isGrowing && /^\s*\|/.test(told.at(-1)?.text ?? '')) told.pop();
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

/** Gives a quote the usual bar; a row of a table has a second bar. */
function withQuote(row: FrameRow): FrameRow {
  if (!/^ ?│ [^│]*$/.test(row.text)) return row;
  const at = row.spans.findIndex(({ text }) => text.includes('│'));
  const spans = row.spans.map((span, place) => (place === at ? { ...span, text: span.text.replace('│', '▎') } : span));
  return { ...row, text: row.text.replace('│', '▎'), spans };
}

/**
 * A link is drawn as its text, ` (`, the address in another colour, `)`. In an address that the text itself contains, the bracket has the
 * address's colour. The beginning of the link's text is not shown, so only its last word is marked.
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

/** Lines of code from row `at` to before row `to`; `to` is `at` if there is no code. */
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

/** Whether the row is the rest of a long line of code: blank up to the column of code. */
function isMore(row: FrameRow, gutter: number): boolean {
  const indent = row.text.length - row.text.trimStart().length;
  return row.text.trim() !== '' && indent >= gutter && columnsOf(row.text) > gutter;
}
