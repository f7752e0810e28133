import type { IBuffer, IBufferLine, Terminal } from '@xterm/headless';
import type { ImageLine } from '../../shared/images/imageCore.ts';
import { stateSlices } from '../../shared/images/stateSlices.ts';
import {
  type Cell,
  type CellLook,
  type Charset,
  type CoreBuffer,
  internalsOf,
  scratchCell,
  type XtermCore,
} from '../../shared/xterm/xtermInternals.ts';
import { lookKey, pendingUnderlineColor, protectionOf, sgrOf } from '../rows/cellLook.ts';
import { charsetLetter, charsetsOf, hasDefaultTabs, modesOf } from './serializeModes.ts';

/** Characters that xterm joins to the one before when it is printed right after it. */
const JOINS_LEFT =
  /^(?:\p{M}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|[\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff])/u;
/** Characters to which whatever follows is joined. */
const JOINS_RIGHT = /[\u200d\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e]$/;

/**
 * Writes the emulator's state as escape sequences for a fresh emulator of the same size and scrollback: both buffers with
 * looks and links, soft wraps, cursor, saved cursor, scroll region, tab stops, character sets and modes. Titles and
 * colours are not part of it, nor is a synchronized update that has begun.
 *
 * At most `scrollbackLines` rows above the screen are included.
 */
export function serializeState(terminal: Terminal, scrollbackLines: number): string {
  const core = internalsOf(terminal);
  const writer = new StateWriter(terminal, core);
  const { normal, alternate, active } = terminal.buffer;
  writer.writeBuffer(normal, Math.max(0, normal.baseY - scrollbackLines));
  writer.finishBuffer(normal, core.buffers.normal);
  if (active === alternate) {
    // 1047 rather than 1049: it leaves the normal buffer's saved cursor as it was written above
    writer.add('\x1b[m\x1b[?1047h\x1b[H');
    writer.writeBuffer(alternate, 0);
    writer.finishBuffer(alternate, core.buffers.alt);
  }
  writer.add(modesOf(core));
  writer.finishCursor(active, core.buffers.active);
  return writer.text;
}

/** What holds for the next character a program prints. */
interface NextPrinted {
  look: CellLook;
  isJoinable: boolean;
  /** Sequences for character sets and the underline's colour. */
  extra: string;
  /** The set in use. */
  charset: Charset | undefined;
  /** Row from which the cursor's is counted: the scroll region's first in origin mode. */
  originRow: number;
}

/** Collects the text; knows which look and link the reading emulator would have at this point. */
class StateWriter {
  text = '';
  readonly #terminal: Terminal;
  readonly #core: XtermCore;
  #key = '';
  #linkId = 0;

  constructor(terminal: Terminal, core: XtermCore) {
    this.#terminal = terminal;
    this.#core = core;
  }

  add(sequence: string): void {
    this.text += sequence;
  }

  /** Every row from `fromRow` to the end of the buffer. The reading emulator's cursor is at home and its look is the default. */
  writeBuffer(buffer: IBuffer, fromRow: number): void {
    const cell = scratchCell(buffer);
    this.#key = '';
    for (let row = fromRow; row < buffer.length; row++) {
      const isWrapped = row > fromRow && buffer.getLine(row)?.isWrapped === true;
      const isFullBefore = isWrapped && this.#missingAtEnd(buffer, row - 1, cell) === 0;
      this.#setLook(undefined); // a row that scrolls in takes the colour that is set
      if (isFullBefore) this.text += ' \r\x1b[X';
      else if (isWrapped) this.text += '\r\x1b[B';
      else if (row > fromRow) this.text += '\r\n';
      if (row + 1 < buffer.length && buffer.getLine(row + 1)?.isWrapped) this.#wrapEarly(buffer, row, cell);
      this.#writeRow(buffer, row, cell);
    }
    this.#setLook(undefined);
  }

  /**
   * Makes the row below a wrapped one before this row is written, when writing it will not: printing one character too many is
   * the only way there, and what was printed for it is erased again.
   */
  #wrapEarly(buffer: IBuffer, row: number, cell: Cell): void {
    const { cols } = this.#terminal;
    if (this.#missingAtEnd(buffer, row, cell) === 0) return;
    this.text += `${' '.repeat(cols + 1)}\r\x1b[X\x1b[A\x1b[${cols}X`;
  }

  /** Cells at the end of the row that `#writeRow` leaves out, so that the cursor is not at the margin. */
  #missingAtEnd(buffer: IBuffer, row: number, cell: Cell): number {
    const line = buffer.getLine(row);
    const cols = this.#terminal.cols;
    for (let col = cols - 1; line && col >= 0; col--) {
      line.getCell(col, cell);
      const isSecondHalf = cell.getWidth() === 0 && col > 0 && line.getCell(col - 1)?.getWidth() === 2;
      if (isSecondHalf || (cell.getChars() !== '' && isShown(line, col, cell))) return cols - 1 - col;
    }
    return cols;
  }

  /** One row's cells. The reading emulator's cursor is at its start and may be anywhere in it afterwards. */
  #writeRow(buffer: IBuffer, row: number, cell: Cell): void {
    const line = buffer.getLine(row);
    const { cols } = this.#terminal;
    let before = '';
    let penCol = 0;
    for (let col = 0; line && col < cols; ) {
      line.getCell(col, cell);
      const chars = isShown(line, col, cell) ? cell.getChars() : '';
      const width = chars === '' ? countBlanks(line, col, cell) : cell.getWidth();
      if (chars !== '' || !cell.isBgDefault()) {
        if (penCol !== col) this.text += `\x1b[${col + 1}G`;
        this.#setLook(cell);
        if (chars === '') this.text += `\x1b[${width}X`;
        else if (penCol === col && wouldJoin(before, chars)) this.text += penOf(cell); // any sequence keeps them apart
        this.text += chars;
        penCol = chars === '' ? col : col + width;
        before = chars;
      }
      col += width;
    }
    this.text += stateSlices(
      this.#core.buffers[buffer.type === 'normal' ? 'normal' : 'alt'].lines.get(row) as ImageLine | undefined,
    );
  }

  /** What belongs to a buffer and not to the terminal: its scroll region, tab stops and saved cursor. */
  finishBuffer(buffer: IBuffer, own: CoreBuffer): void {
    const { cols, rows } = this.#terminal;
    if (own.scrollTop !== 0 || own.scrollBottom !== rows - 1) {
      this.text += `\x1b[${own.scrollTop + 1};${own.scrollBottom + 1}r`;
    }
    if (!hasDefaultTabs(own, cols)) {
      this.text += '\x1b[3g';
      for (const stop of Object.keys(own.tabs)) {
        if (own.tabs[Number(stop)] && Number(stop) < cols) this.text += `\x1b[${Number(stop) + 1}G\x1bH`;
      }
    }
    const savedRow = Math.max(0, own.savedY - own.ybase);
    const look = own.savedCurAttrData;
    const set = charsetLetter(own.savedCharset);
    if (own.savedX !== 0 || savedRow !== 0 || penKey(look) !== '' || set !== 'B') {
      const pen = `\x1b(${set}${penOf(look)}`;
      this.text += `\x1b[${savedRow + 1};${own.savedX + 1}H${pen}\x1b7\x1b(B\x1b[m`;
    }
    this.#placeCursor(buffer, own);
  }

  /** Last of all, since several modes move the cursor: its place, the look of what comes next, and the open link. */
  finishCursor(buffer: IBuffer, own: CoreBuffer): void {
    const { coreService, _inputHandler } = this.#core;
    const pen = _inputHandler._curAttrData;
    // what comes next may be joined to the character before it, or repeat it, if xterm knows that character still
    const isPlainPrinting = coreService.decPrivateModes.wraparound && !coreService.modes.insertMode;
    const isJoinable = _inputHandler._parser.precedingJoinState !== 0 && isPlainPrinting;
    const originRow = coreService.decPrivateModes.origin ? own.scrollTop : 0;
    const extra = charsetsOf(this.#core) + pendingUnderlineColor(pen);
    const { charset } = this.#core._charsetService;
    this.#placeCursor(buffer, own, { look: pen, isJoinable, extra, charset, originRow });
  }

  /**
   * Moves to the buffer's cursor, then sets the look. Beyond the margin, "about to wrap", only printing gets there, so the
   * character before the cursor is printed once more; likewise where it is still open to be joined.
   */
  #placeCursor(buffer: IBuffer, own: CoreBuffer, next?: NextPrinted): void {
    const { cols } = this.#terminal;
    const cell = scratchCell(buffer);
    const line = buffer.getLine(own.ybase + own.y);
    let col = Math.max(0, Math.min(own.x, cols) - 1);
    line?.getCell(col, cell);
    if (cell.getWidth() === 0 && col > 0) line?.getCell(--col, cell);
    const chars = cell.getChars();
    const hasLook = next !== undefined && own.x > 0 && chars !== '' && penKey(cell) === penKey(next.look);
    // the character set comes first, so it must not replace the character
    const isOpen = hasLook && next.isJoinable && next.charset?.[chars] === undefined;
    const moveTo = (toCol: number) => `\x1b[${own.y - (next?.originRow ?? 0) + 1};${toCol + 1}H`;
    if (own.x < cols && !isOpen) {
      this.text += moveTo(own.x);
      this.#setLook(next?.look);
      this.text += next?.extra ?? '';
      return;
    }
    this.#setLook(cell);
    this.text += moveTo(col);
    if (isOpen) this.text += next.extra;
    this.text += chars || ' ';
    if (isOpen) return;
    this.#setLook(next?.look);
    this.text += `${next ? penOf(next.look) : ''}${next?.extra ?? ''}`; // any sequence makes the character one that is not joined
  }

  /** undefined is the default look without a link. */
  #setLook(cell: CellLook | undefined): void {
    const key = cell ? penKey(cell) : '';
    if (key === this.#key) return;
    this.#key = key;
    this.text += cell ? penOf(cell) : '\x1b[m';
    const linkId = cell && cell.bg & 0x10000000 ? cell.extended.urlId : 0;
    if (linkId === this.#linkId) return;
    this.#linkId = linkId;
    const link = this.#core._oscLinkService.getLinkData(linkId);
    this.text += `\x1b]8;${link?.id ? `id=${link.id}` : ''};${link?.uri ?? ''}\x1b\\`;
  }
}

/** Two pens with the same key print alike and are erased alike. */
function penKey(cell: CellLook): string {
  return lookKey(cell) + protectionOf(cell);
}

/** Sequences that set exactly this pen, whatever was set before. */
function penOf(cell: CellLook): string {
  return sgrOf(cell) + protectionOf(cell);
}

function wouldJoin(before: string, chars: string): boolean {
  return before !== '' && (chars > '\x7f' || before > '\x7f') && (JOINS_LEFT.test(chars) || JOINS_RIGHT.test(before));
}

/** xterm's colour in `bg`; the other bits are flags of text. */
const COLOR_BITS = 0x3ffffff;

/** False for halves of a wide character that lost their other half, which xterm leaves behind in a few cases. */
function isShown(line: IBufferLine, col: number, cell: Cell): boolean {
  if (cell.getWidth() === 2) return line.getCell(col + 1)?.getWidth() === 0;
  return cell.getWidth() === 1;
}

/** Cells without text from `col` on that share one background. `cell` holds the one at `col`. */
function countBlanks(line: IBufferLine, col: number, cell: Cell): number {
  const bg = cell.bg & COLOR_BITS;
  let end = col + 1;
  for (; end < line.length; end++) {
    line.getCell(end, cell);
    if (cell.getChars() !== '' || cell.getWidth() === 0 || (cell.bg & COLOR_BITS) !== bg) break;
  }
  line.getCell(col, cell);
  return end - col;
}
