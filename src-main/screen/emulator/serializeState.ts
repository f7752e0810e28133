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

/** Characters that xterm joins to the preceding one when printed right after it. */
const JOINS_LEFT =
  /^(?:\p{M}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|[\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff])/u;
/** Characters to which any following character is joined. */
const JOINS_RIGHT = /[\u200d\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e]$/;

/**
 * Writes the emulator's state as escape sequences for a fresh emulator of the same size and scrollback: both buffers with
 * attributes and links, soft wraps, cursor, saved cursor, scroll region, tab stops, character sets and modes. Excludes titles,
 * colours and an open synchronized update.
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

/** State that applies to the next printed character. */
interface NextPrinted {
  look: CellLook;
  isJoinable: boolean;
  /** Sequences for character sets and the underline's colour. */
  extra: string;
  /** The set in use. */
  charset: Charset | undefined;
  /** Row from which the cursor's row counts: the scroll region's first in origin mode. */
  originRow: number;
}

/** Collects the text; tracks the attributes and the link that the reading emulator has at this point. */
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

  /** Writes all rows from `fromRow` to the end of the buffer. The reading emulator has its cursor at home and default attributes. */
  writeBuffer(buffer: IBuffer, fromRow: number): void {
    const cell = scratchCell(buffer);
    this.#key = '';
    for (let row = fromRow; row < buffer.length; row++) {
      const isWrapped = row > fromRow && buffer.getLine(row)?.isWrapped === true;
      const isFullBefore = isWrapped && this.#missingAtEnd(buffer, row - 1, cell) === 0;
      this.#setLook(undefined); // a row that scrolls in gets the current background
      if (isFullBefore) this.text += ' \r\x1b[X';
      else if (isWrapped) this.text += '\r\x1b[B';
      else if (row > fromRow) this.text += '\r\n';
      if (row + 1 < buffer.length && buffer.getLine(row + 1)?.isWrapped) this.#wrapEarly(buffer, row, cell);
      this.#writeRow(buffer, row, cell);
    }
    this.#setLook(undefined);
  }

  /**
   * Creates the row below before this wrapped row is written, if writing it would not: printing one character too many is
   * the only way, and the printed characters are erased again.
   */
  #wrapEarly(buffer: IBuffer, row: number, cell: Cell): void {
    const { cols } = this.#terminal;
    if (this.#missingAtEnd(buffer, row, cell) === 0) return;
    this.text += `${' '.repeat(cols + 1)}\r\x1b[X\x1b[A\x1b[${cols}X`;
  }

  /** Number of cells at the row's end that `#writeRow` leaves out, so that the cursor does not reach the margin. */
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

  /** Writes one row's cells. The reading emulator's cursor is at its start, and may be anywhere in the row afterwards. */
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

  /** Writes the state of a buffer, not of the terminal: its scroll region, tab stops and saved cursor. */
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

  /** Comes last, because several modes move the cursor: writes its position, the attributes of the next character, and the open link. */
  finishCursor(buffer: IBuffer, own: CoreBuffer): void {
    const { coreService, _inputHandler } = this.#core;
    const pen = _inputHandler._curAttrData;
    // the next character may join or repeat the one before it, if xterm still remembers that one
    const isPlainPrinting = coreService.decPrivateModes.wraparound && !coreService.modes.insertMode;
    const isJoinable = _inputHandler._parser.precedingJoinState !== 0 && isPlainPrinting;
    const originRow = coreService.decPrivateModes.origin ? own.scrollTop : 0;
    const extra = charsetsOf(this.#core) + pendingUnderlineColor(pen);
    const { charset } = this.#core._charsetService;
    this.#placeCursor(buffer, own, { look: pen, isJoinable, extra, charset, originRow });
  }

  /**
   * Moves to the buffer's cursor, then sets the attributes. Only printing moves the cursor beyond the margin ("about to wrap"), so the
   * character before the cursor is printed again; the same applies if that character can still be joined.
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
    this.text += `${next ? penOf(next.look) : ''}${next?.extra ?? ''}`; // after any sequence, the character can no longer be joined
  }

  /** undefined means default attributes without a link. */
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

/** Two pens with the same key print and erase alike. */
function penKey(cell: CellLook): string {
  return lookKey(cell) + protectionOf(cell);
}

/** Sequences that set exactly this pen, regardless of earlier ones. */
function penOf(cell: CellLook): string {
  return sgrOf(cell) + protectionOf(cell);
}

function wouldJoin(before: string, chars: string): boolean {
  return before !== '' && (chars > '\x7f' || before > '\x7f') && (JOINS_LEFT.test(chars) || JOINS_RIGHT.test(before));
}

/** Bits of `bg` with xterm's colour; the others are text flags. */
const COLOR_BITS = 0x3ffffff;

/** False for half of a wide character that lost its other half, which xterm leaves in a few cases. */
function isShown(line: IBufferLine, col: number, cell: Cell): boolean {
  if (cell.getWidth() === 2) return line.getCell(col + 1)?.getWidth() === 0;
  return cell.getWidth() === 1;
}

/** Number of cells without text from `col` on with one background. `cell` holds the one at `col`. */
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
