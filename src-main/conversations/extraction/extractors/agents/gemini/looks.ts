import type { SgrColor, StyledSpan } from '../../../../../contract/block.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import type { Looks } from '../../../markdown/inline.ts';

/** Accent colour of the default dark theme, used if no glyph is on the screen. */
const DARK_ACCENT = '#d7afff';

/** Differences of a program that mostly draws as Gemini CLI does. */
export interface OwnLooks extends Pick<Looks, 'slantsQuotes'> {
  /** The colour of inline code, if it is the same in all themes. */
  readonly code?: SgrColor;
}

/**
 * Its colours come from a theme, so they are read from the screen: inline code has the colour of the glyph before an answer, prose has
 * the colour of most of the text.
 */
export function looksOf(rows: readonly FrameRow[], { code, slantsQuotes = false }: OwnLooks = {}): Looks {
  const glyph = rows.find((row) => /^ {0,2}✦ /.test(row.text) && row.spans[0]?.fg !== undefined);
  const accent = glyph?.spans[0]?.fg ?? DARK_ACCENT;
  const prose = commonColor(rows);
  return {
    isCode: (fg) => fg !== undefined && ((fg === accent && accent !== prose) || fg === code),
    slantsQuotes,
    isSyntax: () => false,
    isCodeBlock: () => false,
    headingLevel: (spans) => headingLevel(spans, prose),
  };
}

/** Levels 1 and 2 have the colour of links, level 3 is bold prose, level 4 is in italics and pale. */
function headingLevel(spans: readonly StyledSpan[], prose: SgrColor | undefined): number {
  if (spans.every(({ bold }) => bold)) return spans.every(({ fg }) => fg === prose) ? 3 : 2;
  return spans.every(({ italic, fg }) => italic && fg !== prose) ? 4 : 0;
}

function commonColor(rows: readonly FrameRow[]): SgrColor | undefined {
  const chars = new Map<SgrColor | undefined, number>();
  for (const row of rows.filter(({ text }) => /^(?:✦ | {2}\S)/.test(text)))
    for (const { fg, text } of row.spans) chars.set(fg, (chars.get(fg) ?? 0) + text.trim().length);
  return [...chars].sort((one, other) => other[1] - one[1])[0]?.[0];
}
