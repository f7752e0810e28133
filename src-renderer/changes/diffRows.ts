import type { CodeNode } from '../conversation/text/codeNodes.ts';

/** A line of a shown change. `gap` represents unchanged lines; its text is the function that git found around them. */
export interface DiffRow {
  readonly kind: 'same' | 'added' | 'removed' | 'gap' | 'note';
  readonly text: string;
  /** Line numbers from 1 in the old and the new file; null if that file does not have the line. */
  readonly before: number | null;
  readonly after: number | null;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/** Parses the lines of one file's patch, without the headers. Empty for a patch without lines. Pure. */
export function diffRows(patch: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let isBody = false;
  let [before, after] = [0, 0];
  const lines = patch.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      isBody = true;
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      const isStart = rows.length === 0 && before <= 1 && after <= 1;
      if (!isStart) rows.push({ kind: 'gap', text: hunk[3] ?? '', before: null, after: null });
    } else if (!isBody) continue;
    else if (line.startsWith('diff --git ')) isBody = false;
    else if (line.startsWith('+')) rows.push({ kind: 'added', text: line.slice(1), before: null, after: after++ });
    else if (line.startsWith('-')) rows.push({ kind: 'removed', text: line.slice(1), before: before++, after: null });
    else if (line.startsWith('\\')) rows.push({ kind: 'note', text: line.slice(2), before: null, after: null });
    else rows.push({ kind: 'same', text: line.slice(1), before: before++, after: after++ });
  }
  return rows;
}

/** Returns the language of a path, as lowlight names it; '' if it is not known. */
export function languageOf(path: string): string {
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  const named = NAMES[name];
  if (named !== undefined) return named;
  const extension = name.includes('.') ? (name.split('.').at(-1) ?? '') : '';
  return EXTENSIONS[extension] ?? extension;
}

const NAMES: Readonly<Record<string, string>> = { makefile: 'makefile' };
/** Extensions that are not an alias of their language. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  ...{ mts: 'typescript', cts: 'typescript', mjs: 'javascript', cjs: 'javascript', svelte: 'xml', vue: 'xml', txt: '' },
  ...{ rs: 'rust', yml: 'yaml', toml: 'ini', jsonc: 'json', jsonl: 'json', htm: 'xml', h: 'c' },
};

/** Splits highlighted code into lines. Classes that span a line break are on both lines. */
export function splitLines(nodes: readonly CodeNode[]): CodeNode[][] {
  let lines: CodeNode[][] = [[]];
  for (const node of nodes) {
    const parts: CodeNode[][] =
      node.type === 'text'
        ? node.value.split('\n').map((value) => (value === '' ? [] : [{ type: 'text', value }]))
        : splitLines(node.children).map((children) => (children.length === 0 ? [] : [{ ...node, children }]));
    const [first = [], ...rest] = parts;
    lines = [...lines.slice(0, -1), [...(lines.at(-1) ?? []), ...first], ...rest];
  }
  return lines;
}
