import type { FrameRow } from '../../../../contract/frame.ts';
import type { Looks } from '../../../markdown/inline.ts';
import { fenced, restoreMarkdown } from '../../../markdown/restoreMarkdown.ts';
import { columnsOf, cutColumns } from '../../../markdown/spans.ts';
import { PENDING } from './rules.ts';

/** Number and blank before a line of code. Numbers are pale: in prose they are not. */
const NUMBERED = /^( {1,6}(\d+)) ?(.*)$/;

/** Rows of an answer, gutter cut off, as Markdown. Its code has numbered lines, which no blank row has to set apart. */
export function answerMarkdown(rows: readonly FrameRow[], cols: number, looks: Looks): string {
  const out: string[] = [];
  let prose: FrameRow[] = [];
  const flush = () => {
    const text = restoreMarkdown(prose, cols, looks);
    if (text !== '') out.push(text);
    prose = [];
  };
  const told = rows.filter((row) => !PENDING.test(row.text));
  for (let at = 0; at < told.length; ) {
    const code = codeFrom(told, at);
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

/** Lines of code from row `at` on, up to but without row `to`; `to` is `at` when there are none. */
function codeFrom(rows: readonly FrameRow[], at: number): { lines: string[]; to: number } {
  const lines: string[] = [];
  let to = at;
  let gutter = 0;
  let number = numberOf(rows[at]);
  if (number === null) return { lines, to };
  for (; to < rows.length; to += 1) {
    const row = rows[to];
    const own = numberOf(row);
    const [, marks = '', , code = ''] = NUMBERED.exec(row?.text.trimEnd() ?? '') ?? [];
    if (own !== null && own === number) {
      gutter = marks.length + 1;
      number += 1;
      lines.push(code);
    } else if (row && isMore(row, gutter)) lines[lines.length - 1] += cutColumns(row.text.trimEnd(), gutter, Infinity);
    else break;
  }
  return { lines, to };
}

/** The number of a line of code; null for a row that is none. */
function numberOf(row: FrameRow | undefined): number | null {
  const found = NUMBERED.exec(row?.text.trimEnd() ?? '');
  if (!row || !found) return null;
  const [first, ...others] = row.spans.filter(({ text }) => text.trim() !== '');
  const isAlone = first?.text.trim() === found[2];
  const isPale = others.length === 0 || others.some(({ fg }) => fg !== first?.fg);
  return isAlone && isPale ? Number(found[2]) : null;
}

/** The rest of a line of code that was too long: blank up to where code begins. */
function isMore(row: FrameRow, gutter: number): boolean {
  const indent = row.text.length - row.text.trimStart().length;
  return row.text.trim() !== '' && indent >= gutter && columnsOf(row.text) > gutter;
}
