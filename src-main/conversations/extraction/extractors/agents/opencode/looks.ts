import type { SgrColor, StyledSpan } from '../../../../../contract/block.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import type { Looks } from '../../../markdown/inline.ts';

/** Colours of the dark theme, 1.18. With other themes, text stays plain and nothing else changes. */
const CODE: SgrColor = '#7fd88f';
const VARIABLE: SgrColor = '#e06c75';
const OPERATOR: SgrColor = '#56b6c2';
const ERROR: SgrColor = '#e06c75';

export const LOOKS: Looks = {
  isCode: (fg) => fg === CODE,
  // Prose has the colours of keywords, names and strings too.
  isSyntax,
  slantsQuotes: true,
  // A link has the colour of operators, and is underlined.
  isCodeBlock: (rows) =>
    rows.some(({ spans }) => spans.some((span) => span.href === undefined && !span.underline && isSyntax(span.fg))),
};

function isSyntax(fg: SgrColor | undefined): boolean {
  return fg === VARIABLE || fg === OPERATOR;
}

/** Colours of a call that waits for an answer, and of one that is done. */
const CALLS: readonly SgrColor[] = ['#f5a742', '#808080'];

/** Whether a span has the colour of a call. Strong words of an answer may have it too. */
export function isCallColor({ fg, bold, italic }: StyledSpan): boolean {
  return fg !== undefined && CALLS.includes(fg) && !bold && !italic;
}

/** Column of the bar before a block. */
export const BAR_COL = 2;

export type Bar = 'tool' | 'error' | 'speaker' | 'plain';

/** The kind of `row`'s bar. A tool's bar has the colour of the background around it, so it is invisible. */
export function barOf({ spans }: FrameRow): Bar {
  const [gutter, bar] = spans;
  if (!gutter || !bar || gutter.text.trim() !== '' || bar.fg === undefined) return 'plain';
  if (bar.fg === gutter.bg) return 'tool';
  return bar.fg === ERROR ? 'error' : 'speaker';
}
