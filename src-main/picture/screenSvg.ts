import { parseHex } from '../contract/screen/color.ts';
import type { CursorShape, Frame, FrameRow } from '../contract/screen/frame.ts';
import type { Palette } from '../contract/screen/palette.ts';
import { CELL, FONT_PX, MARGIN_PX, pictureSize } from './geometry.ts';
import { type PlacedRun, placeRow } from './placeRow.ts';
import { charSvg, rectAttributes, runSvg } from './runSvg.ts';
import { type PictureTheme, themeOf } from './themes.ts';
import { xmlText } from './xmlText.ts';

/** Font family of the layout; a viewer without it uses its own of the same width. */
export const FONT_FAMILY = 'IBM Plex Mono';
/** Thickness of a line cursor; as in the window. */
const LINE_PX = 2;

/**
 * Draws the visible content of a frame as an SVG document in the theme's colours. The document runs and loads nothing. Each
 * row is a group with its text as `aria-label`. Any text gives a well-formed document.
 */
export function screenSvg(frame: Frame, theme: PictureTheme): string {
  const palette = themeOf(theme);
  return svgPage(pictureSize(frame), { background: palette.background, drawn: frameParts(frame, theme).join('') });
}

/** The parts of a frame, from the first row to the cursor, each positioned on its own. A blank row is ''. */
export function frameParts(frame: Frame, theme: PictureTheme): string[] {
  const palette = themeOf(theme);
  const rows = frame.rows.map((row, at) => rowSvg(row, { at, cols: frame.cols, palette }));
  return [...rows, cursorSvg(frame, palette)];
}

/** The SVG document around parts of frames. */
export function svgPage(
  { width, height }: { width: number; height: number },
  { background, drawn }: { background: string; drawn: string },
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` font-family="'${FONT_FAMILY}', ui-monospace, monospace" font-size="${FONT_PX}">`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    `<g transform="translate(${MARGIN_PX} ${MARGIN_PX})">${drawn}</g></svg>\n`,
  ].join('');
}

function rowSvg(row: FrameRow, { at, cols, palette }: { at: number; cols: number; palette: Palette }): string {
  const runs = placeRow(row, cols).map((run) => runSvg(run, palette));
  // all backgrounds first: a character may overlap the edge of its cell
  const drawn = `${runs.map(({ ground }) => ground).join('')}${runs.map(({ ink }) => ink).join('')}`;
  if (drawn === '') return '';
  return `<g transform="translate(0 ${at * CELL.height})" aria-label="${xmlText(shownText(row))}">${drawn}</g>`;
}

function shownText({ spans }: FrameRow): string {
  return spans.map(({ text, hidden }) => (hidden ? ' '.repeat(text.length) : text)).join('');
}

/** Draws the cursor; without a program's choice a bar, as in the window. */
function cursorSvg({ cursor, rows, cols }: Frame, palette: Palette & { readonly cursor: string }): string {
  if (!cursor.visible) return '';
  const runs = placeRow(rows[cursor.row] ?? { text: '', spans: [], wrapped: false }, cols);
  const under = charAt(runs, Math.min(cursor.col, cols - 1));
  const shape = cursor.shape ?? 'bar';
  const page = parseHex(palette.background) ?? [0, 0, 0];
  const again = shape === 'block' && under.run && under.char ? charSvg(under.char, under.run, page) : '';
  const rect = `<rect ${rectAttributes(cursorRect(shape, under))} fill="${palette.cursor}"/>`;
  return `<g transform="translate(0 ${cursor.row * CELL.height})">${rect}${again}</g>`;
}

interface Under {
  readonly col: number;
  readonly cells: number;
  readonly run?: PlacedRun;
  readonly char?: PlacedRun['chars'][number];
}

function charAt(runs: readonly PlacedRun[], col: number): Under {
  for (const run of runs)
    for (const char of run.chars)
      if (char.col <= col && col < char.col + char.cells) return { col: char.col, cells: char.cells, run, char };
  return { col, cells: 1 };
}

function cursorRect(shape: CursorShape, { col, cells }: Under): Parameters<typeof rectAttributes>[0] {
  const cell = { x: col * CELL.width, y: 0, width: cells * CELL.width, height: CELL.height };
  if (shape === 'bar') return { ...cell, width: LINE_PX };
  return shape === 'underline' ? { ...cell, y: CELL.height - LINE_PX, height: LINE_PX } : cell;
}
