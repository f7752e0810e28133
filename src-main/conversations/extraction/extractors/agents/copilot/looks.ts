import type { SgrColor } from '../../../../../contract/block.ts';
import type { Looks } from '../../../markdown/inline.ts';

/** Inline code, its background and the bar at the right edge have the terminal's white; highlighted code has these colours. */
const CODE = 7;
const SYNTAX: readonly SgrColor[] = [1, 3, 5, 6, 12];
/** In a terminal that reports its colours (1.0.102, dark): inline code has this background, highlighted code has GitHub's colours. */
const CODE_GROUND: SgrColor = '#262c36';
const TOLD_SYNTAX: readonly SgrColor[] = ['#ff7b72', '#d2a8ff', '#79c0ff', '#ffa657', '#a5d6ff'];

export const LOOKS: Looks = {
  isCode: (fg, span) => fg === CODE || span?.bg === CODE_GROUND,
  isSyntax: (fg) => fg !== undefined && (SYNTAX.includes(fg) || TOLD_SYNTAX.includes(fg)),
  // A link may have a colour of code.
  isCodeBlock: (rows) =>
    rows.some(({ spans }) => spans.some(({ fg, href, underline }) => !href && !underline && LOOKS.isSyntax(fg))),
};
