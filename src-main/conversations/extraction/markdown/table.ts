import { cutColumns } from './spans.ts';

const TOP = /^\s*┌─/;
const EDGE = /^\s*[├└]─/;
const BETWEEN = /^\s*├─/;
const ROW = /^\s*│.*│\s*$/;
/** Under the head of a table without a box: a rule for each column. */
const HEAD_RULE = /^\s*━+(?: +━+)*\s*$/;
const ROW_RULE = /^\s*[─╌]+(?: +[─╌]+)*\s*$/;

export function isTable(lines: readonly string[]): boolean {
  return TOP.test(lines[0] ?? '') && lines.slice(1).every((line) => EDGE.test(line) || ROW.test(line));
}

/** Turns a box-drawn table into a Markdown table. Rows of a wrapped cell are joined if lines separate the table's rows. */
export function tableMarkdown(lines: readonly string[]): string {
  const groups: string[][][] = [[]];
  for (const line of lines.slice(1)) {
    if (BETWEEN.test(line)) groups.push([]);
    else if (ROW.test(line)) groups.at(-1)?.push(cellsOf(line));
  }
  const [head = [], ...rest] = groups;
  const isRuled = rest.length > 1;
  return markdownOf(joined(head), isRuled ? rest.map(joined) : rest.flat());
}

/** Whether the lines are a table without a box: a head, rules under it, rows. */
export function isRuledTable(lines: readonly string[]): boolean {
  return lines.slice(1).some((line) => HEAD_RULE.test(line)) && !HEAD_RULE.test(lines[0] ?? '');
}

/** Turns a table without a box into a Markdown table. The rules show where its columns begin. */
export function ruledTableMarkdown(lines: readonly string[]): string {
  const at = lines.findIndex((line) => HEAD_RULE.test(line));
  const starts = [...(lines[at] ?? '').matchAll(/━+/g)].map(({ index }) => index);
  const groups: string[][][] = [[]];
  const body = lines.slice(at + 1);
  const isRuled = body.some((line) => ROW_RULE.test(line));
  for (const line of body) {
    if (ROW_RULE.test(line)) groups.push([]);
    else if (isRuled) groups.at(-1)?.push(columnsAt(line, starts));
    else groups.push([columnsAt(line, starts)]);
  }
  const rows = groups.filter((group) => group.length > 0).map(joined);
  return markdownOf(joined(lines.slice(0, at).map((line) => columnsAt(line, starts))), rows);
}

function markdownOf(header: readonly string[], rows: readonly string[][]): string {
  const out = [header, header.map(() => '---'), ...rows];
  return out.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function columnsAt(line: string, starts: readonly number[]): string[] {
  return starts.map((from, at) => cutColumns(line, from, starts[at + 1] ?? Number.POSITIVE_INFINITY).trim());
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split('│')
    .map((cell) => cell.trim().replaceAll('|', '\\|'));
}

function joined(rows: readonly string[][]): string[] {
  const first = rows[0] ?? [];
  return first.map((_, at) =>
    rows
      .map((row) => row[at] ?? '')
      .filter((cell) => cell !== '')
      .join(' '),
  );
}
