import type { Attachment } from 'svelte/attachments';
import type { CodePainter } from '../conversation/text/CodePainter.svelte.ts';
import { type CodeNode, plainNodes } from '../conversation/text/codeNodes.ts';
import { nodesOf } from '../conversation/text/drawCode.ts';
import { type DiffRow, languageOf, splitLines } from './diffRows.ts';

const SIGNS: Readonly<Record<DiffRow['kind'], string>> = {
  same: '  ',
  added: '+ ',
  removed: '− ',
  gap: '⋯ ',
  note: '  ',
};

/** Draws the lines of a change in an element, as text and never as markup. Each line has a sign, so that colour is not the only mark. */
export function drawDiff(rows: readonly DiffRow[], path: string, painter: CodePainter): Attachment<HTMLElement> {
  const painted = paint(rows, path, painter);
  return (element) => {
    element.replaceChildren(...rows.map((row, at) => lineOf(row, painted.get(at))));
  };
}

function lineOf(row: DiffRow, nodes: readonly CodeNode[] | undefined): HTMLElement {
  const line = document.createElement('span');
  line.className = `diff-line diff-${row.kind}`;
  const number = document.createElement('span');
  number.className = 'diff-number';
  number.ariaHidden = 'true';
  number.textContent = String(row.after ?? row.before ?? '');
  line.append(number, SIGNS[row.kind], ...(nodes ?? plainNodes(row.text)).flatMap(nodesOf), '\n');
  return line;
}

/** Highlights each row. The old and the new file are highlighted separately, so that a removed line does not end a string of the next line. */
function paint(rows: readonly DiffRow[], path: string, painter: CodePainter): Map<number, CodeNode[]> {
  const language = languageOf(path);
  const painted = new Map<number, CodeNode[]>();
  for (const side of ['removed', 'added'] as const) {
    const own = rows.flatMap((row, at) => (row.kind === 'same' || row.kind === side ? [{ row, at }] : []));
    const tree = painter.paint(own.map(({ row }) => row.text).join('\n'), language);
    const lines = tree ? splitLines(tree) : [];
    for (const [index, { at }] of own.entries()) {
      const line = lines[index];
      if (line) painted.set(at, line);
    }
  }
  return painted;
}
