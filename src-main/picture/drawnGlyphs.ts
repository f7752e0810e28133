import { boxRects } from './boxGlyphs.ts';
import { CELL, type Rect } from './geometry.ts';

/**
 * A character that must fill its cell to the edges, or meet the next one, is drawn instead of set in a font: box drawing, blocks,
 * Braille patterns (graphs) and the slanted separators of status lines.
 */
export interface DrawnGlyph {
  /** Filled rectangles, in px of the cell. */
  readonly rects: readonly Rect[];
  /** Filled outlines and 1 px strokes, as path data in px of its cell. */
  readonly fill?: string;
  readonly stroke?: string;
  /** Opacity of the text colour, for a shade. */
  readonly opacity?: number;
}

const { width: W, height: H } = CELL;
/** Middle of a light stroke (see boxGlyphs). */
const [MID_X, MID_Y] = [W / 2, Math.floor((H - 1) / 2) + 0.5];

/** U+256D to U+2573: arcs and diagonals. */
const STROKES: Readonly<Record<number, string>> = {
  9581: `M${MID_X} ${H}V${MID_Y + MID_X}Q${MID_X} ${MID_Y} ${W} ${MID_Y}`,
  9582: `M0 ${MID_Y}Q${MID_X} ${MID_Y} ${MID_X} ${MID_Y + MID_X}V${H}`,
  9583: `M0 ${MID_Y}Q${MID_X} ${MID_Y} ${MID_X} ${MID_Y - MID_X}V0`,
  9584: `M${MID_X} 0V${MID_Y - MID_X}Q${MID_X} ${MID_Y} ${W} ${MID_Y}`,
  9585: `M${W} 0L0 ${H}`,
  9586: `M0 0L${W} ${H}`,
  9587: `M${W} 0L0 ${H}M0 0L${W} ${H}`,
  57521: `M0 0L${W} ${H / 2}L0 ${H}`,
  57523: `M${W} 0L0 ${H / 2}L${W} ${H}`,
};
/** Separators of status lines; then symbols that programs put before their lines and few monospaced fonts have: run, pause, stop, record. */
const FILLS: Readonly<Record<number, string>> = {
  57520: `M0 0L${W} ${H / 2}L0 ${H}Z`,
  57522: `M${W} 0L0 ${H / 2}L${W} ${H}Z`,
  9205: 'M1.5 6L8 10L1.5 14Z',
  9208: 'M2 6h2v8h-2zM5.5 6h2v8h-2z',
  9209: 'M1.5 7h6v6h-6z',
  9210: 'M0.5 10a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
};
/** U+2596 to U+259F: quarters, bit 0 the upper left one, then upper right, lower left, lower right. */
const QUARTERS = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14];
const SHADES: Readonly<Record<number, number>> = { 9617: 0.25, 9618: 0.5, 9619: 0.75 };
/** Bits of a Braille pattern: column and row of their dots. */
const DOTS = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
] as const;

/** U+23BF, an upright with a foot, with which programs attach a line below another. */
const CORNER = 0x23bf;

/** Drawing of a character, or null if a font sets it. */
export function drawnGlyph(text: string): DrawnGlyph | null {
  const codepoint = text.codePointAt(0) ?? 0;
  if (codepoint < CORNER || text.length !== 1) return null;
  const stroke = STROKES[codepoint];
  if (stroke !== undefined) return { rects: [], stroke };
  const fill = FILLS[codepoint];
  if (fill !== undefined) return { rects: [], fill };
  if (codepoint === CORNER) return { rects: boxRects(0x2514) ?? [] };
  if (codepoint < 0x2500) return null;
  if (codepoint < 0x2580) return { rects: boxRects(codepoint) ?? [] };
  if (codepoint < 0x25a0) return blockGlyph(codepoint);
  if (codepoint >= 0x2800 && codepoint < 0x2900) return { rects: dotRects(codepoint - 0x2800) };
  return null;
}

function blockGlyph(codepoint: number): DrawnGlyph {
  const opacity = SHADES[codepoint];
  if (opacity !== undefined) return { rects: [part(0, 0, 8, 8)], opacity };
  return { rects: codepoint >= 0x2596 ? quarterRects(QUARTERS[codepoint - 0x2596] ?? 0) : [edgeRect(codepoint)] };
}

/** A character of U+2580 to U+2595: one rectangle at one edge. */
function edgeRect(codepoint: number): Rect {
  if (codepoint === 0x2580) return part(0, 0, 8, 4);
  if (codepoint === 0x2590) return part(4, 0, 8, 8);
  if (codepoint === 0x2594) return part(0, 0, 8, 1);
  if (codepoint === 0x2595) return part(7, 0, 8, 8);
  if (codepoint <= 0x2588) return part(0, 8 - (codepoint - 0x2580), 8, 8); // from the bottom, one eighth more each
  return part(0, 0, 0x2590 - codepoint, 8); // from the left, one eighth less each
}

/** A rectangle from edges in eighths of the cell, on whole px, so that neighbours meet. */
function part(left: number, top: number, right: number, bottom: number): Rect {
  const [x, y] = [Math.round((left * W) / 8), Math.round((top * H) / 8)];
  return { x, y, width: Math.round((right * W) / 8) - x, height: Math.round((bottom * H) / 8) - y };
}

function quarterRects(bits: number): Rect[] {
  const all = [part(0, 0, 4, 4), part(4, 0, 8, 4), part(0, 4, 4, 8), part(4, 4, 8, 8)];
  return all.filter((_, bit) => bits & (1 << bit));
}

function dotRects(bits: number): Rect[] {
  const dots = DOTS.filter((_, bit) => bits & (1 << bit));
  return dots.map(([col, row]) => ({ x: 2 + col * 4, y: 2 + row * 5, width: 2, height: 2 }));
}
