import { GAP_LINE } from '../../../src-main/contract/chat/gapLine.ts';
import { type DiffLine, unifiedKind } from './diffLines.ts';

/** Code to draw: only text and class names. */
export type CodeNode = { type: 'text'; value: string } | { type: 'element'; className: string; children: CodeNode[] };

const text = (value: string): CodeNode => ({ type: 'text', value });
const marked = (className: string, value: string): CodeNode => ({
  type: 'element',
  className,
  children: [text(value)],
});

/** Code without colours; a gap in its lines is marked. */
export function plainNodes(code: string): CodeNode[] {
  if (!code.includes(GAP_LINE)) return [text(code)];
  return code.split('\n').map((line, at, all) => {
    const whole = at < all.length - 1 ? `${line}\n` : line;
    return line.trim() === GAP_LINE ? marked('code-gap', whole) : text(whole);
  });
}

/** Each line of a diff is an element of its own, coloured from end to end. */
export function diffNodes(lines: readonly DiffLine[]): CodeNode[] {
  return lines.map((line) => marked(`code-line code-${line.kind}`, `${line.text}\n`));
}

/** The content of a fence marked as a diff. */
export function fencedDiffNodes(code: string): CodeNode[] {
  return diffNodes(code.split('\n').map((line) => ({ kind: unifiedKind(line), text: line })));
}
