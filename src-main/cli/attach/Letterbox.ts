import { charWidth } from '../../blocks/charWidth.ts';
import type { SgrColor, StyledSpan } from '../../contract/block.ts';
import type { Frame, FrameRow } from '../../contract/screen/frame.ts';

interface Size {
  cols: number;
  rows: number;
}

/** Fills the space outside of the shown terminal. */
const OUTSIDE = '·';

/**
 * Draws frames of one size on a terminal of another: at its top left, cut if they are larger, with dots around them if they are smaller.
 * Does not write unchanged rows again.
 */
export class Letterbox {
  #local: Size;
  #drawn: string[] = [];

  constructor(local: Size) {
    this.#local = local;
  }

  /** The local terminal has another size, and its content is unknown. */
  resize(local: Size): void {
    this.#local = local;
    this.#drawn = [];
  }

  /** The output that makes the terminal show the frame. */
  draw(frame: Frame): string {
    const { cols, rows } = this.#local;
    let text = '\x1b[?25l';
    for (let row = 0; row < rows; row++) {
      const line = rowText(frame.rows[row], { cols, frameCols: frame.cols, isInside: row < frame.rowsCount });
      if (line === this.#drawn[row]) continue;
      this.#drawn[row] = line;
      text += `\x1b[${row + 1};1H${line}`;
    }
    const { cursor } = frame;
    const col = Math.min(cursor.col, frame.cols - 1);
    const isSeen = cursor.visible && cursor.row < rows && col < cols;
    return isSeen ? `${text}\x1b[${cursor.row + 1};${col + 1}H\x1b[?25h` : text;
  }
}

/** A full row of the local terminal. Erases only after its text, because erasing would also affect the last column. */
function rowText(
  row: FrameRow | undefined,
  { cols, frameCols, isInside }: { cols: number; frameCols: number; isInside: boolean },
): string {
  const width = isInside ? Math.min(cols, frameCols) : 0;
  let text = '';
  let used = 0;
  for (const span of row?.spans ?? []) {
    const cut = cutText(span.text, width - used);
    text += `${sgrOf(span)}${cut.text}`;
    used += cut.width;
    if (cut.isCut) break;
  }
  const blank = `\x1b[m${' '.repeat(width - used)}`;
  return `${text}${blank}${cols > width ? `\x1b[2m${OUTSIDE.repeat(cols - width)}\x1b[m` : ''}`;
}

function cutText(text: string, room: number): { text: string; width: number; isCut: boolean } {
  let width = 0;
  let kept = '';
  for (const char of text) {
    const next = width + charWidth(char.codePointAt(0) ?? 0);
    if (next > room) return { text: kept, width, isCut: true };
    kept += char;
    width = next;
  }
  return { text: kept, width, isCut: false };
}

function sgrOf(span: StyledSpan): string {
  const codes = [
    '0',
    span.bold && '1',
    span.dim && '2',
    span.italic && '3',
    span.underline && '4',
    span.inverse && '7',
    span.strike && '9',
    span.fg !== undefined && colorOf(span.fg, 30),
    span.bg !== undefined && colorOf(span.bg, 40),
  ];
  return `\x1b[${codes.filter(Boolean).join(';')}m`;
}

/** `base`: 30 for the text, 40 for the background. */
function colorOf(color: SgrColor, base: 30 | 40): string {
  if (typeof color !== 'number') return `${base + 8};2;${hexParts(color)}`;
  if (color < 8) return String(base + color);
  return color < 16 ? String(base + 52 + color) : `${base + 8};5;${color}`;
}

function hexParts(color: string): string {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(';');
}
