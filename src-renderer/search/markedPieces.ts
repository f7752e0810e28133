import type { SearchSpan } from '../../src-main/contract/search.ts';
import { splitHidden } from '../app/hiddenChars.ts';

/** A stretch of a line that was found in, as it is drawn. */
export interface MarkedPiece {
  text: string;
  isFound: boolean;
  /** Name of the hidden character of this piece. */
  hidden?: string;
}

/** A text cut at its marks. Characters that change how it reads without being seen become pieces with their names. */
export function markedPieces(text: string, spans: readonly SearchSpan[]): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  const add = (from: number, to: number, isFound: boolean): void => {
    for (const { text: part, hidden } of splitHidden(text.slice(from, to)))
      if (part !== '') pieces.push({ text: part, isFound, ...(hidden !== undefined && { hidden }) });
  };
  let at = 0;
  for (const { start, end } of spans) {
    add(at, start, false);
    add(Math.max(at, start), end, true);
    at = Math.max(at, end);
  }
  add(at, text.length, false);
  return pieces;
}
