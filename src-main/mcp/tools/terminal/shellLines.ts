import { ToolFault } from '../../../contract/mcp/mcp.ts';
import { type LinePattern, matchLines } from '../../../search/lines/searchText.ts';
import { renderedText } from '../../read/renderedText.ts';

/** [from, to), in bytes or in characters. */
export type Range = readonly [number, number];

/** After it a line begins in the first column, so the text before it does not matter. */
const LINE_END = '\r\n';

/** Maps ranges of bytes, in ascending order, to ranges in the rendered text of `bytes`. */
export function rangesInText(bytes: Uint8Array, ranges: readonly Range[]): Range[] {
  const own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let [line, chars] = [0, 0];
  const charsAt = (at: number): number => {
    const end = at < LINE_END.length ? -1 : own.lastIndexOf(LINE_END, at - LINE_END.length);
    const start = end < 0 ? 0 : end + LINE_END.length;
    if (start > line) {
      chars += renderedText(own.subarray(line, start)).length;
      line = start;
    }
    return chars + renderedText(own.subarray(line, at)).length;
  };
  return ranges.map(([from, to]) => [charsAt(from), charsAt(to)] as const);
}

/** The first match within one line of `text` after the ranges are removed; a line that is entirely within them is skipped. */
export function firstMatch(
  text: string,
  pattern: LinePattern,
  leftOut: readonly Range[],
): { start: number; end: number } | null {
  const lines = [...linesWithout(text, leftOut)];
  const { spans, slowLine } = matchLines(
    pattern,
    lines.map(({ kept }) => kept),
  );
  const found = spans.findIndex((own) => own !== null && own.length > 0);
  const isSlow = slowLine !== null && found < 0;
  if (isSlow) throw new ToolFault('REGEX_TIMEOUT', 'the expression takes too long', 'make it simpler');
  const [span, line] = [spans[found]?.[0], lines[found]];
  return span && line ? { start: line.at(span.start, 'start'), end: line.at(span.end, 'end') } : null;
}

interface KeptLine {
  readonly kept: string;
  /** Maps a position in `kept` to one in the text. Next to removed text, a match starts after it and ends before it. */
  at(place: number, side: 'start' | 'end'): number;
}

function* linesWithout(text: string, leftOut: readonly Range[]): Generator<KeptLine> {
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const parts = partsWithout([start, end], leftOut);
    if (parts.length > 0) yield keptLine(text, parts);
    start = end + 1;
  }
}

/** The parts of a line outside of all ranges; an empty line outside of them has one empty part. */
function partsWithout([start, end]: Range, leftOut: readonly Range[]): Range[] {
  const parts: Range[] = [];
  let from = start;
  for (const [first, last] of leftOut) {
    if (last < start || first > end || last === first) continue;
    if (start === end && first <= start && last > start) return [];
    if (first > from) parts.push([from, Math.min(first, end)]);
    from = Math.max(from, last);
  }
  if (from < end || (start === end && from === start)) parts.push([from, end]);
  return parts;
}

function keptLine(text: string, parts: readonly Range[]): KeptLine {
  const kept = parts.map(([from, to]) => text.slice(from, to)).join('');
  const at = (place: number, side: 'start' | 'end'): number => {
    let before = 0;
    for (const [from, to] of parts) {
      const isIn = side === 'start' ? place < before + to - from : place <= before + to - from;
      if (isIn) return from + place - before;
      before += to - from;
    }
    return parts.at(-1)?.[1] ?? 0;
  };
  return { kept, at };
}
