import { formatHex, type Rgb } from '../contract/screen/color.ts';
import type { Palette } from '../contract/screen/palette.ts';
import { resolveColor } from '../contract/screen/palette.ts';
import { type SpanColors, spanColors } from '../contract/screen/spanColors.ts';
import { type DrawnGlyph, drawnGlyph } from './drawnGlyphs.ts';
import { BASELINE_PX, CELL, type Rect } from './geometry.ts';
import type { PlacedChar, PlacedRun } from './placeRow.ts';
import { underlinePath } from './underlines.ts';
import { xmlText } from './xmlText.ts';

/**
 * Characters of the picture's own font, one cell each, are set as words. All others are set individually in the middle of
 * their cells, so that a fallback font cannot move later text, and right-to-left text stays where the terminal has it.
 */
const OF_FONT =
  /^[\u0021-\u007e\u00a1-\u00ac\u00ae-\u024f\u0370-\u03ff\u0400-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf]$/;

/** Elements of a run: background, characters and lines; x in px from the row's left, y from its top. */
export function runSvg(run: PlacedRun, palette: Palette): { ground: string; ink: string } {
  const { look } = run;
  const colors = spanColors(look, palette);
  const ground =
    colors.ground === null ? '' : `<rect ${rectAttributes(boxOf(run))} fill="${formatHex(colors.ground)}"/>`;
  if (look.hidden) return { ground, ink: '' };
  return { ground, ink: `${drawnSvg(run.chars, colors)}${textSvg(run, colors.ink)}${linesSvg(run, colors, palette)}` };
}

function boxOf({ col, cells }: { col: number; cells: number }): Rect {
  return { x: col * CELL.width, y: 0, width: cells * CELL.width, height: CELL.height };
}

export function rectAttributes({ x, y, width, height }: Rect): string {
  return `x="${x}" y="${y}" width="${width}" height="${height}"`;
}

function drawnSvg(chars: readonly PlacedChar[], { ownInk }: SpanColors): string {
  const ink = formatHex(ownInk);
  let solid = '';
  let rest = '';
  for (const { text, col } of chars) {
    const glyph = drawnGlyph(text);
    if (!glyph) continue;
    if (glyph.opacity === undefined) solid += rectPath(glyph.rects, col * CELL.width);
    rest += glyphSvg(glyph, { x: col * CELL.width, ink });
  }
  return `${solid === '' ? '' : `<path d="${solid}" fill="${ink}"/>`}${rest}`;
}

/** Combines rectangles to one path: a picture made of blocks has thousands of them. */
function rectPath(rects: readonly Rect[], left: number): string {
  return rects.map(({ x, y, width, height }) => `M${left + x} ${y}h${width}v${height}h${-width}z`).join('');
}

function glyphSvg({ rects, fill, stroke, opacity }: DrawnGlyph, { x, ink }: { x: number; ink: string }): string {
  const at = `transform="translate(${x} 0)"`;
  if (opacity !== undefined) return `<path d="${rectPath(rects, x)}" fill="${ink}" fill-opacity="${opacity}"/>`;
  if (fill !== undefined) return `<path ${at} d="${fill}" fill="${ink}"/>`;
  return stroke === undefined ? '' : `<path ${at} d="${stroke}" fill="none" stroke="${ink}"/>`;
}

function textSvg({ look, chars }: PlacedRun, ink: Rgb): string {
  const set = wordsOf(chars).map(wordSvg).join('');
  if (set === '') return '';
  const weight = look.bold ? ' font-weight="600"' : '';
  const slant = look.italic ? ' font-style="italic"' : '';
  return `<g fill="${formatHex(ink)}"${weight}${slant}>${set}</g>`;
}

interface Word {
  text: string;
  readonly col: number;
  cells: number;
  readonly isOfFont: boolean;
}

/** Groups text to set at once: adjacent characters of the font without a space; every other character alone. */
function wordsOf(chars: readonly PlacedChar[]): Word[] {
  const words: Word[] = [];
  for (const { text, col, cells } of chars) {
    if (text.trim() === '' || drawnGlyph(text)) continue;
    const isOfFont = OF_FONT.test(text);
    const last = words.at(-1);
    if (last && isOfFont && last.isOfFont && last.col + last.cells === col) {
      last.text += text;
      last.cells += cells;
    } else words.push({ text, col, cells, isOfFont });
  }
  return words;
}

function wordSvg({ text, col, cells, isOfFont }: Word): string {
  const safe = xmlText(text);
  if (safe === '') return '';
  const left = col * CELL.width;
  const width = cells * CELL.width;
  if (!isOfFont) return `<text x="${left + width / 2}" y="${BASELINE_PX}" text-anchor="middle">${safe}</text>`;
  return `<text x="${left}" y="${BASELINE_PX}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${safe}</text>`;
}

function linesSvg(run: PlacedRun, { ink }: SpanColors, palette: Palette): string {
  const { look } = run;
  const { x, width } = boxOf(run);
  let lines = '';
  if (look.underline) {
    const own = look.underlineColor === undefined ? undefined : resolveColor(look.underlineColor, palette);
    const dash = look.underlineStyle === 'dotted' ? '1 2' : look.underlineStyle === 'dashed' ? '5 4' : null;
    const dashes = dash === null ? '' : ` stroke-dasharray="${dash}"`;
    const d = underlinePath(look.underlineStyle, { x, width });
    lines += `<path d="${d}" fill="none" stroke="${formatHex(own ?? ink)}"${dashes}/>`;
  }
  if (look.strike) lines += `<path d="M${x} 10.5h${width}" stroke="${formatHex(ink)}"/>`;
  return lines;
}

/** Draws one character again in another colour, under a block cursor. */
export function charSvg(char: PlacedChar, { look }: Pick<PlacedRun, 'look'>, ink: Rgb): string {
  if (look.hidden) return '';
  const run = { look, chars: [char], col: char.col, cells: char.cells };
  return `${drawnSvg(run.chars, { ink, ownInk: ink, ground: null })}${textSvg(run, ink)}`;
}
