import type { Looks } from '../../../markdown/inline.ts';

/** Inline code, the block of its colour and the bar at the right edge are the terminal's white; highlighted code has these. */
const CODE = 7;
const SYNTAX: readonly number[] = [1, 3, 5, 6, 12];

export const LOOKS: Looks = {
  isCode: (fg) => fg === CODE,
  isSyntax: (fg) => typeof fg === 'number' && SYNTAX.includes(fg),
};
