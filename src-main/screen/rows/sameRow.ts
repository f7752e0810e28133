import type { StyledSpan } from '../../contract/block.ts';
import type { FrameRow } from '../../contract/screen/frame.ts';

export const BLANK_ROW: FrameRow = Object.freeze({ text: '', spans: Object.freeze([]), wrapped: false });

/** True if both rows have the same text and attributes. */
export function isSameRow(a: FrameRow, b: FrameRow): boolean {
  if (a === b) return true;
  if (a.text !== b.text || a.wrapped !== b.wrapped || a.spans.length !== b.spans.length) return false;
  return a.spans.every((span, at) => isSameSpan(span, b.spans[at]));
}

export function isBlankRow(row: FrameRow): boolean {
  return row.spans.length === 0 && row.text === '' && !row.wrapped;
}

function isSameSpan(a: StyledSpan, b: StyledSpan | undefined): boolean {
  if (a === b) return true;
  return (
    b !== undefined &&
    a.text === b.text &&
    a.fg === b.fg &&
    a.bg === b.bg &&
    a.href === b.href &&
    !a.bold === !b.bold &&
    !a.dim === !b.dim &&
    !a.italic === !b.italic &&
    !a.underline === !b.underline &&
    !a.inverse === !b.inverse &&
    !a.strike === !b.strike &&
    !a.hidden === !b.hidden &&
    a.underlineStyle === b.underlineStyle &&
    a.underlineColor === b.underlineColor
  );
}
