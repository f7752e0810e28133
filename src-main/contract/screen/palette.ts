import type { SgrColor } from '../block.ts';
import { parseHex, type Rgb } from './color.ts';

/** The part of a theme that coloured output needs. Colours are `#rrggbb`; the values are those of the tokens (`ui/tokens.css`). */
export interface Palette {
  background: string;
  /** Default colour of output. */
  foreground: string;
  /** Default colour of bold text, and of programs that fill the pane. */
  strong: string;
  cursor?: string;
  /** Least contrast between text and background; MIN_CONTRAST if absent. 1 leaves colours unchanged. */
  minContrast?: number;
  /** SGR 30–37 and 90–97. */
  ansi: readonly string[];
}

/** Levels of the 6×6×6 cube at 16–231. Source: xterm's 256colres.h. */
const CUBE = [0, 95, 135, 175, 215, 255];

/** The colour of an SGR index or `#rrggbb`; undefined for other values. */
export function resolveColor(color: SgrColor, palette: Palette): Rgb | undefined {
  if (typeof color === 'string') return parseHex(color);
  if (!Number.isInteger(color) || color < 0 || color > 255) return undefined;
  if (color < 16) return parseHex(palette.ansi[color] ?? '');
  if (color >= 232) {
    const grey = 8 + (color - 232) * 10; // 24 greys from 8 to 238
    return [grey, grey, grey];
  }
  const at = color - 16;
  return [CUBE[Math.floor(at / 36)] ?? 0, CUBE[Math.floor(at / 6) % 6] ?? 0, CUBE[at % 6] ?? 0];
}
