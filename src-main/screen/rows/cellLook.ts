import type { SgrColor, StyledSpan, UnderlineStyle } from '../../contract/block.ts';
import type { CellLook } from '../../shared/xterm/xtermInternals.ts';
import { SHELL_TEXT } from './ShellText.ts';

/** xterm's bit in `bg`: the cell has an underline style, underline colour or link. */
const HAS_EXTENDED = 0x10000000;
/** xterm's bit in `fg` for any underline. */
const UNDERLINE = 0x10000000;

/** xterm's bit in `bg`: the cell is protected from DECSED and DECSEL (DECSCA). */
const PROTECTED = 0x20000000;

/** The sequence that protects the next printed characters, or ''. SGR 0, with which `sgrOf` begins, ends the protection in xterm 6.0.0. */
export function protectionOf(cell: CellLook): string {
  return cell.bg & PROTECTED ? '\x1b[1"q' : '';
}

/** Cells with the same key print alike. Excludes the bits for protection and for the shell's text, which are not visible. */
export function lookKey(cell: CellLook): string {
  const bg = (cell.bg & ~(PROTECTED | SHELL_TEXT)) >>> 0;
  const fg = cell.fg >>> 0; // a cell's colours are unsigned, the pen's are not
  if (!(bg & HAS_EXTENDED)) return bg === 0 && fg === 0 ? '' : `${fg},${bg}`;
  return `${fg},${bg},${cell.extended._ext},${cell.extended.urlId}`;
}

/** SGR sequence that sets exactly these attributes, regardless of earlier ones. */
export function sgrOf(cell: CellLook): string {
  const codes = ['0'];
  if (cell.isBold()) codes.push('1');
  if (cell.isDim()) codes.push('2');
  if (cell.isItalic()) codes.push('3');
  codes.push(...underlineCodes(cell));
  if (cell.isBlink()) codes.push('5');
  if (cell.isInverse()) codes.push('7');
  if (cell.isInvisible()) codes.push('8');
  if (cell.isStrikethrough()) codes.push('9');
  if (cell.isOverline()) codes.push('53');
  const fg = colorCode(cell.fg, 30);
  if (fg) codes.push(fg);
  const bg = colorCode(cell.bg, 40);
  if (bg) codes.push(bg);
  return codes.length === 1 ? '\x1b[m' : `\x1b[${codes.join(';')}m`;
}

/** SGR sequence for an underline colour set while nothing is underlined, or '': it applies to text underlined later. */
export function pendingUnderlineColor(pen: CellLook): string {
  if (pen.fg & UNDERLINE && pen.bg & HAS_EXTENDED) return '';
  const codes = underlineColor(pen.extended._ext);
  return codes ? `\x1b[${codes}m` : '';
}

/** Style (bits 26–28 of xterm's extended attributes) and colour (as in `fg`) of the underline. */
function underlineCodes(cell: CellLook): string[] {
  if (!(cell.fg & UNDERLINE)) return [];
  if (!(cell.bg & HAS_EXTENDED)) return ['4'];
  const ext = cell.extended._ext;
  const style = (ext >> 26) & 7;
  const codes = [style > 1 ? `4:${style}` : '4'];
  const color = underlineColor(ext);
  return color ? [...codes, color] : codes;
}

function underlineColor(ext: number): string {
  const color = ext & 0xffffff;
  const mode = ext & COLOR_MODE;
  if (mode === COLOR_MODE) return `58;2;${rgb(color)}`;
  return mode === 0 ? '' : `58;5;${color & 0xff}`;
}

/** xterm's two bits for the kind of a colour: 0 is the default, the others follow. */
const COLOR_MODE = 0x3000000;
const PALETTE_16 = 0x1000000;
const PALETTE_256 = 0x2000000;

/** Under bold, a colour number given as one of the 16 shows another colour, so the two kinds stay apart. */
function colorCode(packed: number, base: 30 | 40): string {
  const color = packed & 0xffffff;
  switch (packed & COLOR_MODE) {
    case 0:
      return '';
    case PALETTE_16:
      return String((color & 0xff) < 8 ? base + (color & 0xff) : base + 52 + (color & 0xff));
    case PALETTE_256:
      return `${base + 8};5;${color & 0xff}`;
    default:
      return `${base + 8};2;${rgb(color)}`;
  }
}

function rgb(color: number): string {
  return `${color >>> 16};${(color >>> 8) & 255};${color & 255}`;
}

function colorOf(isRgb: boolean, color: number): SgrColor {
  return isRgb ? `#${color.toString(16).padStart(6, '0')}` : color;
}

/** The attributes as a span. */
export function spanOf(text: string, cell: CellLook, href: string | undefined): StyledSpan {
  const span: StyledSpan = { text };
  if (cell.isFgPalette() || cell.isFgRGB()) span.fg = colorOf(cell.isFgRGB(), cell.getFgColor());
  if (cell.isBgPalette() || cell.isBgRGB()) span.bg = colorOf(cell.isBgRGB(), cell.getBgColor());
  if (cell.isBold()) span.bold = true;
  if (cell.isDim()) span.dim = true;
  if (cell.isItalic()) span.italic = true;
  if (cell.fg & UNDERLINE) underline(span, cell);
  if (cell.isInverse()) span.inverse = true;
  if (cell.isStrikethrough()) span.strike = true;
  if (cell.isInvisible()) span.hidden = true;
  if (href !== undefined) span.href = href;
  return span;
}

/** Indexed by xterm's number of the style, from 0. */
const UNDERLINE_STYLES: readonly (UnderlineStyle | undefined)[] = [
  undefined,
  undefined,
  'double',
  'curly',
  'dotted',
  'dashed',
];

function underline(span: StyledSpan, cell: CellLook): void {
  span.underline = true;
  if (!(cell.bg & HAS_EXTENDED)) return;
  const ext = cell.extended._ext;
  const style = UNDERLINE_STYLES[(ext >> 26) & 7];
  if (style) span.underlineStyle = style;
  const mode = ext & COLOR_MODE;
  if (mode === COLOR_MODE) span.underlineColor = colorOf(true, ext & 0xffffff);
  else if (mode !== 0) span.underlineColor = ext & 0xff;
}
