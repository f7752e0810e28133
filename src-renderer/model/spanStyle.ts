import type { StyledSpan } from '../../src-main/contract/block.ts';
import { ensureContrast, formatHex, mix, parseHex, type Rgb } from './color.ts';
import { type Palette, resolveColor } from './palette.ts';

/** WCAG's ratio for text, kept for every pair of colours that a program asks for. */
export const MIN_CONTRAST = 4.5;
/** Dim text asked to be quiet: it keeps the ratio WCAG asks of large text. */
const MIN_DIM_CONTRAST = 3;
/** How far dim text moves towards its ground. */
const DIM_SHARE = 0.4;

type Look = Omit<StyledSpan, 'text' | 'href'>;

const BLACK: Rgb = [0, 0, 0];

/** Inline style of a span; '' where it looks like plain output. The palette's own colours are legible as they are. */
export function spanStyle(span: Look, palette: Palette): string {
  const rules = [...colorRules(span, palette)];
  if (span.bold) rules.push('font-weight:600');
  if (span.italic) rules.push('font-style:italic');
  const lines = [span.underline ? 'underline' : '', span.strike ? 'line-through' : ''].filter(Boolean).join(' ');
  if (lines) rules.push(`text-decoration:${lines}`);
  return rules.join(';');
}

function colorRules(span: Look, palette: Palette): string[] {
  const hasColor = span.fg !== undefined || span.bg !== undefined || span.inverse || span.dim;
  if (!hasColor) return span.bold ? [`color:${palette.strong}`] : [];
  const page = parseHex(palette.background) ?? BLACK;
  const plain = parseHex(span.bold ? palette.strong : palette.foreground) ?? BLACK;
  const front = (span.fg === undefined ? undefined : resolveColor(span.fg, palette)) ?? plain;
  const back = span.bg === undefined ? undefined : resolveColor(span.bg, palette);
  const ground = (span.inverse ? front : back) ?? page;
  const ink = span.inverse ? (back ?? page) : front;
  const quiet = span.dim ? mix(ink, ground, DIM_SHARE) : ink;
  const legible = ensureContrast(quiet, ground, span.dim ? MIN_DIM_CONTRAST : MIN_CONTRAST);
  const rules = [`color:${formatHex(legible)}`];
  if (back !== undefined || span.inverse) rules.push(`background:${formatHex(ground)}`);
  return rules;
}
