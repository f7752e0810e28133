import { EditableEnd } from './EditableEnd.ts';
import type { EditLine } from './EditLine.ts';
import { EDITABLE_BYTES, LineBuffer } from './LineBuffer.ts';
import { StyleRuns } from './StyleRuns.ts';
import { characterLength } from './Utf8Reader.ts';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB_COLUMNS = 8;

/**
 * Receives lines with their styles. `bytes` from..to is a piece of a line, a view without LF; `runs` has the start of each
 * style: byte offset after `from`, style, offset, style, …. `isEnd`: the line ends with this piece.
 */
export type PieceListener = (
  bytes: Uint8Array,
  piece: { from: number; to: number; runs: readonly number[]; isEnd: boolean },
) => void;

/**
 * Lines of UTF-8 text with a cursor that moves along one line. A line that is only appended to is just bytes that are
 * copied once; the first move inside a line converts its editable part to columns.
 *
 * Tabs become spaces. If a line is wider than the screen, its rows are one line here: CR goes to the line's start.
 */
export class TextLines {
  readonly #buffer = new LineBuffer();
  #lines = 0;
  readonly #cols: number;
  readonly #listener: PieceListener | null;
  /** Styles from `#openAt` on; null if they are not needed. */
  readonly #runs: StyleRuns | null;
  readonly #end: EditableEnd;
  #style = 0;

  /** `cols`: the furthest column of a cursor movement to the right. */
  constructor(cols: number, listener: PieceListener | null) {
    this.#cols = cols;
    this.#listener = listener;
    this.#runs = listener ? new StyleRuns() : null;
    this.#end = new EditableEnd(this.#buffer, this.#runs);
  }

  /** Number of lines ended by a line feed. */
  get lines(): number {
    return this.#lines;
  }

  /** True if the open line is not empty. */
  get hasOpenLine(): boolean {
    return this.#buffer.openBytes > 0 || this.#end.edit?.isEmpty === false;
  }

  /** Bytes of text before the open line, taken or not. */
  get wholeLinesBytes(): number {
    return this.#buffer.taken + this.#buffer.openAt - this.#buffer.openTaken;
  }

  setStyle(style: number): void {
    this.#style = style;
  }

  /**
   * Copies printable characters, LF and CR LF from `bytes[from]` on; returns the index of the first other byte,
   * or the one after the LF of a line whose number is a multiple of `stopEvery`.
   */
  plain(bytes: Uint8Array, from: number, stopEvery: number): number {
    if (!this.#end.isAppending) return this.#plainSlowly(bytes, from);
    this.#buffer.reserve(bytes.length - from);
    this.#noteStyle();
    const out = this.#buffer.bytes;
    const length = bytes.length;
    const mask = stopEvery - 1;
    let o = this.#buffer.length;
    let i = from;
    while (i < length) {
      const byte = bytes[i] as number;
      if (byte >= SPACE && byte < 0x7f) {
        out[o++] = byte;
        i++;
        continue;
      }
      if (byte > 0xc1) {
        const count = characterLength(bytes, i);
        if (count === 0) break;
        for (const end = i + count; i < end; i++) out[o++] = bytes[i] as number;
        this.#buffer.isAscii = false;
        continue;
      }
      if (byte === LF) i++;
      else if (byte === CR && i + 1 < length && bytes[i + 1] === LF) i += 2;
      else break;
      out[o++] = LF;
      this.#endLine(o);
      if ((this.#lines & mask) === 0) return i;
    }
    this.#buffer.length = o;
    return i;
  }

  /** Like `plain` for an edited line: only printable ASCII. */
  #plainSlowly(bytes: Uint8Array, from: number): number {
    const byte = bytes[from] as number;
    if (byte < SPACE || byte >= 0x7f) return from;
    const edit = this.#editing();
    const next = edit.putAscii(bytes, from, { style: this.#style, limit: 2 * EDITABLE_BYTES });
    this.#end.leaveLong();
    return next;
  }

  /** Copies `bytes` from..to: whole characters of valid UTF-8 outside ASCII. */
  characters(bytes: Uint8Array, from: number, to: number): void {
    if (!this.#end.isAppending) {
      for (const char of Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8'))
        this.put(char.codePointAt(0) ?? 0);
      return;
    }
    this.#buffer.reserve(to - from);
    this.#noteStyle();
    this.#buffer.isAscii = false;
    let o = this.#buffer.length;
    for (let i = from; i < to; i++) this.#buffer.bytes[o++] = bytes[i] as number;
    this.#buffer.length = o;
  }

  put(codePoint: number): void {
    const char = String.fromCodePoint(codePoint);
    if (!this.#end.isAppending) {
      const edit = this.#editing();
      edit.put(char, codePoint, this.#style);
      this.#end.leaveLong();
      return;
    }
    this.#noteStyle();
    this.#buffer.append(Buffer.from(char, 'utf8'));
    if (codePoint > 0x7f) this.#buffer.isAscii = false;
  }

  newline(): void {
    this.#end.settle();
    this.#buffer.reserve(1);
    this.#buffer.bytes[this.#buffer.length] = LF;
    this.#endLine(this.#buffer.length + 1);
  }

  carriageReturn(): void {
    this.#end.carriageReturn();
  }

  backspace(): void {
    if (this.hasOpenLine) this.moveBy(-1);
  }

  tab(): void {
    if (this.#end.isAppending && this.#buffer.isAscii) {
      const count = TAB_COLUMNS - (this.#buffer.openBytes % TAB_COLUMNS);
      this.#buffer.reserve(count);
      this.#noteStyle();
      this.#buffer.bytes.fill(SPACE, this.#buffer.length, this.#buffer.length + count);
      this.#buffer.length += count;
      return;
    }
    const edit = this.#editing();
    const stop = edit.cursor + TAB_COLUMNS - (edit.cursor % TAB_COLUMNS);
    if (edit.cursor < edit.length) edit.moveTo(Math.min(stop, Math.max(edit.length, this.#cols - 1)));
    while (edit.cursor < stop && edit.cursor >= edit.length) edit.put(' ', SPACE, this.#style);
    this.#end.leaveLong();
  }

  /** CUF for a positive `columns`, CUB for a negative one. */
  moveBy(columns: number): void {
    if (this.#end.afterCr && columns < 0) return;
    if (columns > 0 && this.#isAtRightEnd) return;
    const edit = this.#editing();
    edit.moveTo(
      columns < 0 ? edit.cursor + columns : Math.max(edit.cursor, Math.min(edit.cursor + columns, this.#cols - 1)),
    );
    this.#end.leaveEmpty();
  }

  /** True if the cursor is at the rightmost column, after text with one byte per column. */
  get #isAtRightEnd(): boolean {
    return this.#end.isAppending && this.#buffer.isAscii && this.#buffer.openBytes >= this.#cols - 1;
  }

  /** CHA; `column` counts from 0. */
  moveTo(column: number): void {
    const edit = this.#editing();
    edit.moveTo(Math.min(column, this.#cols - 1));
    this.#end.leaveEmpty();
  }

  /** EL: 0 from the cursor on, 1 up to and including it, 2 the whole line. The cursor stays. */
  eraseInLine(mode: number): void {
    if (mode > 2 || (mode === 0 && this.#end.isAppending)) return;
    if (this.#end.afterCr && mode !== 1) {
      this.#end.cut();
      return;
    }
    const edit = this.#editing();
    if (mode === 2) edit.clear();
    else if (mode === 0) edit.erase(edit.cursor, Number.POSITIVE_INFINITY, this.#style);
    else edit.erase(0, edit.cursor + 1, this.#style);
    this.#end.leaveEmpty();
  }

  /** ECH, DCH, ICH at the cursor. */
  editCharacters(what: 'erase' | 'delete' | 'insert', count: number): void {
    if (this.#end.isAppending) return;
    const edit = this.#editing();
    const columns = Math.min(count, this.#cols);
    if (what === 'erase') edit.erase(edit.cursor, edit.cursor + columns, this.#style);
    else if (what === 'delete') edit.delete(columns);
    else edit.insert(Math.max(0, Math.min(columns, EDITABLE_BYTES - edit.length)), this.#style);
    this.#end.leaveEmpty();
  }

  /** REP: repeats the character before the cursor `count` times. */
  repeat(count: number): void {
    const columns = Math.min(count, this.#cols);
    const codePoint = this.#end.before.codePointAt(0);
    if (codePoint === undefined) return;
    for (let i = 0; i < columns; i++) this.put(codePoint);
  }

  /** Returns a copy of the final text: whole lines, and the start of a very long one. */
  take(): Uint8Array {
    const spilled = this.#buffer.beyondEditing(this.#end.edit !== null);
    if (spilled > 0) this.#spill(spilled);
    return this.#buffer.take(spilled);
  }

  /** Like `take`, including the whole open line, which ends here without a line feed. */
  flush(): Uint8Array {
    this.#end.settle();
    if (this.#buffer.openBytes > 0) this.#tellEnd(this.#buffer.length);
    this.#buffer.openAt = this.#buffer.length;
    this.#startLine();
    return this.take();
  }

  /** Ends the open line with the LF before index `to`. */
  #endLine(to: number): void {
    this.#tellEnd(to - 1);
    this.#buffer.length = to;
    this.#buffer.openAt = to;
    this.#lines++;
    this.#startLine();
  }

  #startLine(): void {
    this.#buffer.startLine();
    this.#runs?.clear();
    this.#noteStyle();
  }

  #tellEnd(to: number): void {
    this.#listener?.(this.#buffer.bytes, { from: this.#buffer.openAt, to, runs: this.#runs?.list ?? [], isEnd: true });
  }

  /** Removes the first `count` held bytes of the open line from the buffer. */
  #spill(count: number): void {
    if (this.#runs === null) return;
    const head = this.#runs.cutHead(count);
    this.#listener?.(this.#buffer.bytes, {
      from: this.#buffer.openAt,
      to: this.#buffer.openAt + count,
      runs: head,
      isEnd: false,
    });
  }

  #noteStyle(): void {
    this.#runs?.note(this.#buffer.length - this.#buffer.openAt, this.#style);
  }

  #editing(): EditLine {
    return this.#end.editing(this.#style);
  }
}
