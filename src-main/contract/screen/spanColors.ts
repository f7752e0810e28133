import type { StyledSpan } from '../block.ts';
import { ensureContrast, mix, parseHex, type Rgb } from './color.ts';
import { type Palette, resolveColor } from './palette.ts';

/** WCAG's ratio for text, kept for every pair of colours that a program asks for. */
export const MIN_CONTRAST = 4.5;
/** How far dim text moves towards its ground. */
const DIM_SHARE = 0.4;

const BLACK: Rgb = [0, 0, 0];

/** What a span is drawn in. */
export interface SpanColors {
  /** Of its text: legible on its ground. */
  readonly ink: Rgb;
  /** As the program asked for it: what pictures made of characters are drawn in. */
  readonly ownInk: Rgb;
  /** Null where the page shows through. */
  readonly ground: Rgb | null;
}

/** The palette's own colours are legible as they are; what a program makes of them is made so. */
export function spanColors(span: Omit<StyledSpan, 'text' | 'href'>, palette: Palette): SpanColors {
  const page = parseHex(palette.background) ?? BLACK;
  const plain = parseHex(span.bold ? palette.strong : palette.foreground) ?? BLACK;
  const front = (span.fg === undefined ? undefined : resolveColor(span.fg, palette)) ?? plain;
  const back = span.bg === undefined ? undefined : resolveColor(span.bg, palette);
  const ground = (span.inverse ? front : back) ?? page;
  const asked = span.inverse ? (back ?? page) : front;
  const ownInk = span.dim ? mix(asked, ground, DIM_SHARE) : asked;
  const ratio = palette.minContrast ?? MIN_CONTRAST;
  const ink = ensureContrast(ownInk, ground, ratio);
  return { ink, ownInk, ground: back !== undefined || span.inverse ? ground : null };
}
