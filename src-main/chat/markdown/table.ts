const TOP = /^\s*┌─/;
const EDGE = /^\s*[├└]─/;
const BETWEEN = /^\s*├─/;
const ROW = /^\s*│.*│\s*$/;

export function isTable(lines: readonly string[]): boolean {
  return TOP.test(lines[0] ?? '') && lines.slice(1).every((line) => EDGE.test(line) || ROW.test(line));
}

/** A box-drawn table as a Markdown one. Rows of one cell that wrapped are joined where lines between rows tell them apart. */
export function tableMarkdown(lines: readonly string[]): string {
  const groups: string[][][] = [[]];
  for (const line of lines.slice(1)) {
    if (BETWEEN.test(line)) groups.push([]);
    else if (ROW.test(line)) groups.at(-1)?.push(cellsOf(line));
  }
  const [head = [], ...rest] = groups;
  const isRuled = rest.length > 1;
  const rows = isRuled ? rest.map(joined) : rest.flat();
  const header = joined(head);
  const out = [header, header.map(() => '---'), ...rows];
  return out.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
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
