import type { SgrColor } from '../../../../contract/block.ts';
import type { ChatTool } from '../../../../contract/chat.ts';
import type { Looks } from '../../../markdown/inline.ts';

/** Colours of the dark theme, 2.1.x: as true colour, and as the palette's index that stands for it in terminals with 256. */
const GREY: readonly SgrColor[] = ['#999999', 246];
const CODE: readonly SgrColor[] = ['#b1b9f9', 153];
const BULLETS: readonly { fg: readonly SgrColor[]; status: NonNullable<ChatTool['status']> }[] = [
  { fg: GREY, status: 'running' },
  { fg: ['#4eba65', 114], status: 'done' },
  { fg: ['#ff6b80', 211], status: 'failed' },
];
/** The terminal's own 16: highlighted code has them, nothing else in a reply. */
const OWN_COLORS = 16;

export const LOOKS: Looks = {
  isCode: (fg) => fg !== undefined && CODE.includes(fg),
  isSyntax: (fg) => typeof fg === 'number' && fg < OWN_COLORS,
};

/** What is said by the way. */
export function isGrey(fg: SgrColor | undefined): boolean {
  return fg !== undefined && GREY.includes(fg);
}

/** What the colour of a tool's bullet says. */
export function bulletStatus(fg: SgrColor | undefined): ChatTool['status'] {
  return fg === undefined ? undefined : BULLETS.find((bullet) => bullet.fg.includes(fg))?.status;
}
