import type { SgrColor } from '../../../../../contract/block.ts';
import type { ChatTool } from '../../../../../contract/chat/chat.ts';
import type { Looks } from '../../../markdown/inline.ts';

/** Colours of one theme as `#rrggbb`, 2.1.x. */
interface Theme {
  readonly grey: string;
  readonly code: string;
  readonly done: string;
  readonly failed: string;
}

/** Dark, light, and the two themes for colour blindness. Read from the program's table (2.1.329). */
const THEMES: readonly Theme[] = [
  { grey: '#999999', code: '#b1b9f9', done: '#4eba65', failed: '#ff6b80' },
  { grey: '#666666', code: '#5769f7', done: '#2c7a39', failed: '#ab2b3f' },
  { grey: '#999999', code: '#99ccff', done: '#3399ff', failed: '#ff6666' },
  { grey: '#666666', code: '#3366ff', done: '#006699', failed: '#cc0000' },
];
/** The terminal's 16 colours; in an answer, only highlighted code has them. */
const OWN_COLORS = 16;

const GREY = colorsOf('grey');
const CODE = colorsOf('code');
const BULLETS: readonly { fg: ReadonlySet<SgrColor>; status: NonNullable<ChatTool['status']> }[] = [
  { fg: GREY, status: 'running' },
  { fg: colorsOf('done'), status: 'done' },
  { fg: colorsOf('failed'), status: 'failed' },
];

export const LOOKS: Looks = {
  isCode: (fg) => fg !== undefined && CODE.has(fg),
  isSyntax: (fg) => typeof fg === 'number' && fg < OWN_COLORS,
  slantsQuotes: true,
};

/** Whether the colour is that of secondary text. */
export function isGrey(fg: SgrColor | undefined): boolean {
  return fg !== undefined && GREY.has(fg);
}

/** The status that the colour of a tool's bullet shows. */
export function bulletStatus(fg: SgrColor | undefined): ChatTool['status'] {
  return fg === undefined ? undefined : BULLETS.find((bullet) => bullet.fg.has(fg))?.status;
}

/** A colour of all themes: as it is, and as the palette index that replaces it in terminals with 256 colours. */
function colorsOf(name: keyof Theme): ReadonlySet<SgrColor> {
  return new Set(THEMES.flatMap((theme) => [theme[name], paletteIndex(theme[name])]));
}

/** The index in the palette of 256 that replaces a colour: of its 6 × 6 × 6 cube, or of its 24 greys. */
function paletteIndex(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  if (red === green && green === blue) return 232 + Math.round(((red - 8) / 247) * 24);
  const step = (value: number) => Math.round((value / 255) * 5);
  return 16 + 36 * step(red) + 6 * step(green) + step(blue);
}
