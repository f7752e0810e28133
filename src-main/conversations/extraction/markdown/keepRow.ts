import type { StyledSpan } from '../../../contract/block.ts';
import type { FrameRow } from '../../../contract/screen/frame.ts';
import { charactersOf, columnsOf } from './spans.ts';

/** The first `chars` UTF-16 units of `row`. */
export function keepRow(row: FrameRow, chars: number): FrameRow {
  let left = chars;
  const spans: StyledSpan[] = [];
  for (const span of row.spans) {
    const text = span.text.slice(0, left);
    left -= text.length;
    if (text !== '') spans.push({ ...span, text });
  }
  return { text: row.text.slice(0, chars), spans, wrapped: row.wrapped };
}

/** The first `columns` columns of `row`. */
export function keepColumns(row: FrameRow, columns: number): FrameRow {
  let taken = 0;
  let chars = 0;
  for (const character of charactersOf(row.text)) {
    taken += columnsOf(character);
    if (taken > columns) break;
    chars += character.length;
  }
  return keepRow(row, chars);
}

/** A line from edge to edge of `cols` columns is a rule. */
export function withRule(row: FrameRow, cols: number): FrameRow {
  const isRule = row.text.trimEnd() === '─'.repeat(cols);
  return isRule ? { ...row, text: '---', spans: [{ text: '---' }] } : row;
}
