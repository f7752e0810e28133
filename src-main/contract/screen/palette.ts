import type { SgrColor } from '../block.ts';
import { parseHex, type Rgb } from './color.ts';

/** What coloured output needs to know of a theme. Colours are `#rrggbb`; the values are the tokens' (`ui/tokens.css`). */
export interface Palette {
  background: string;
  /** Output in its usual colour. */
  foreground: string;
  /** Default colour of bold text, and of programs that have the whole pane. */
  strong: string;
  cursor?: string;
  /** Least contrast of text and its ground; MIN_CONTRAST where it is left out. 1: colours stay as they are. */
  minContrast?: number;
  /** SGR 30–37 and 90–97. */
  ansi: readonly string[];
}

/** Levels of the 6×6×6 cube at 16–231. Source: xterm's 256colres.h. */
const CUBE = [0, 95, 135, 175, 215, 255];

/** The colour behind an SGR index or `#rrggbb`; undefined for what is neither. */
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
