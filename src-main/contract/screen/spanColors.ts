import type { StyledSpan } from '../block.ts';
import { ensureContrast, mix, parseHex, type Rgb } from './color.ts';
import { type Palette, resolveColor } from './palette.ts';

/** WCAG's ratio for text, ensured for every pair of colours that a program uses. */
export const MIN_CONTRAST = 4.5;
/** How far dim text moves towards its background. */
const DIM_SHARE = 0.4;

const BLACK: Rgb = [0, 0, 0];

/** Colours of a span. */
export interface SpanColors {
  /** Text colour, legible on its background. */
  readonly ink: Rgb;
  /** The program's original colour, for pictures made of characters. */
  readonly ownInk: Rgb;
  /** Null if the page's background is visible. */
  readonly ground: Rgb | null;
}

/** The palette's own colours are legible unchanged; combinations that a program makes are adjusted. */
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
