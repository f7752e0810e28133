import type { FrameRow } from '../../../../../contract/screen/frame.ts';

/** A line number and a blank before a line of code. Code has dim numbers; prose does not. */
export const NUMBERED = /^( {1,6}(\d+)) ?(.*)$/;

/** Returns the number of a line of code, or null for any other row. */
export function codeNumberOf(row: FrameRow | undefined): number | null {
  const found = NUMBERED.exec(row?.text.trimEnd() ?? '');
  if (!row || !found) return null;
  const [first, ...others] = row.spans.filter(({ text }) => text.trim() !== '');
  const isAlone = first?.text.trim() === found[2];
  const isPale = others.length === 0 || others.some(({ fg }) => fg !== first?.fg);
  return isAlone && isPale ? Number(found[2]) : null;
}
