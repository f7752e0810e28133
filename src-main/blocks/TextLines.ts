import { EditLine } from './EditLine.ts';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB_COLUMNS = 8;

/**
 * The last 4 to 8 KiB of a line can be overprinted; a screen's row is shorter. It bounds the memory of a line without end,
 * and the work that one short sequence can cause.
 */
const EDITABLE_BYTES = 4096;
const INITIAL_BYTES = 4096;
/** A buffer that a flood has made larger than this is given back when it is empty again. */
const MAX_IDLE_BYTES = 256 * 1024;

/**
 * Who wants lines with their styles. `bytes` from..to is a piece of a line, a view without LF; `runs` as in EncodedLine, from
 * `from` on. `isEnd`: the line ends with this piece.
 */
export type PieceListener = (
  bytes: Uint8Array,
  piece: { from: number; to: number; runs: readonly number[]; isEnd: boolean },
) => void;

/**
 * Lines of UTF-8 text under a cursor that moves along one line. A line that is only written to its end is never more than
 * bytes that are copied once; the first move inside of a line turns what can be edited of it into columns.
 *
 * Tabs become spaces. Where a line is wider than the screen, its rows are one line here: CR goes to the line's start.
 */
export class TextLines {
  /** Text not yet taken. The open line, as far as it is held, starts at `#openAt`; its bytes before that have been taken. */
  #out: Uint8Array = new Uint8Array(INITIAL_BYTES);
  #length = 0;
  #openAt = 0;
  #openTaken = 0;
  /** So many bytes at the open line's start cannot be overprinted any more. */
  #frozen = 0;
  /** Set while the end of the open line is held as columns; `#out` then ends with what is before them. */
  #edit: EditLine | null = null;
  /** The cursor stands at the line's start, but nothing has been overprinted yet: most often a LF follows. */
  #afterCr = false;
  #isAscii = true;
  #lines = 0;
  /** Bytes taken so far. */
  #taken = 0;
  readonly #cols: number;
  readonly #listener: PieceListener | null;
  /** Byte offset from `#openAt`, style, … */
  #runs: number[] = [];
  #style = 0;

  /** `cols`: how far a cursor movement can go to the right. */
  constructor(cols: number, listener: PieceListener | null) {
    this.#cols = cols;
    this.#listener = listener;
  }

  /** Lines ended by a line feed. */
  get lines(): number {
    return this.#lines;
  }

  /** Something stands in the line that no line feed has ended yet. */
  get hasOpenLine(): boolean {
    return this.#openBytes > 0 || (this.#edit !== null && !this.#edit.isEmpty);
  }

  /** Bytes of text before the open line, taken or not. */
  get wholeLinesBytes(): number {
    return this.#taken + this.#openAt - this.#openTaken;
  }

  get takenBytes(): number {
    return this.#taken;
  }

  /** Bytes of the open line in front of the columns. */
  get #openBytes(): number {
    return this.#openTaken + this.#length - this.#openAt;
  }

  setStyle(style: number): void {
    this.#style = style;
  }

  /**
   * Copies printable ASCII, LF and CR LF from `bytes[from]` on; returns the index of the first byte that is something else,
   * or of the byte after the LF of a line whose number is a multiple of `stopEvery`.
   */
  plain(bytes: Uint8Array, from: number, stopEvery: number): number {
    if (this.#edit || this.#afterCr) return this.#plainSlowly(bytes, from);
    this.reserve(bytes.length - from);
    this.#noteStyle();
    const out = this.#out;
    const length = bytes.length;
    const mask = stopEvery - 1;
    let o = this.#length;
    let i = from;
    while (i < length) {
      const byte = bytes[i] as number;
      if (byte >= SPACE && byte < 0x7f) {
        out[o++] = byte;
        i++;
        continue;
      }
      if (byte === LF) i++;
      else if (byte === CR && i + 1 < length && bytes[i + 1] === LF) i += 2;
      else break;
      out[o++] = LF;
      this.#endLine(o);
      if ((this.#lines & mask) === 0) return i;
    }
    this.#length = o;
    return i;
  }

  /** The same under an edited line: printable ASCII only. */
  #plainSlowly(bytes: Uint8Array, from: number): number {
    let i = from;
    while (i < bytes.length) {
      const byte = bytes[i] as number;
      if (byte < SPACE || byte >= 0x7f) break;
      this.put(byte);
      i++;
    }
    return i;
  }

  /** Copies `bytes` from..to: whole characters of valid UTF-8 beyond ASCII. */
  characters(bytes: Uint8Array, from: number, to: number): void {
    if (this.#edit || this.#afterCr) {
      for (const char of Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8'))
        this.put(char.codePointAt(0) ?? 0);
      return;
    }
    this.reserve(to - from);
    this.#noteStyle();
    this.#isAscii = false;
    let o = this.#length;
    for (let i = from; i < to; i++) this.#out[o++] = bytes[i] as number;
    this.#length = o;
  }

  put(codePoint: number): void {
    const char = String.fromCodePoint(codePoint);
    if (this.#edit || this.#afterCr) {
      const edit = this.#editing();
      edit.put(char, codePoint, this.#style);
      this.#leaveLong(edit);
      return;
    }
    this.#noteStyle();
    const bytes = Buffer.from(char, 'utf8');
    this.reserve(bytes.length);
    this.#out.set(bytes, this.#length);
    this.#length += bytes.length;
    if (codePoint > 0x7f) this.#isAscii = false;
  }

  newline(): void {
    this.#settle();
    this.reserve(1);
    this.#out[this.#length] = LF;
    this.#endLine(this.#length + 1);
  }

  carriageReturn(): void {
    if (this.#edit) this.#edit.moveTo(0);
    else this.#afterCr = this.#openBytes > 0;
  }

  backspace(): void {
    if (this.hasOpenLine) this.moveBy(-1);
  }

  tab(): void {
    if (this.#edit === null && !this.#afterCr && this.#isAscii) {
      const count = TAB_COLUMNS - (this.#openBytes % TAB_COLUMNS);
      this.reserve(count);
      this.#noteStyle();
      this.#out.fill(SPACE, this.#length, this.#length + count);
      this.#length += count;
      return;
    }
    const edit = this.#editing();
    const stop = edit.cursor + TAB_COLUMNS - (edit.cursor % TAB_COLUMNS);
    if (edit.cursor < edit.length) edit.moveTo(Math.min(stop, Math.max(edit.length, this.#cols - 1)));
    while (edit.cursor < stop && edit.cursor >= edit.length) edit.put(' ', SPACE, this.#style);
    this.#leaveLong(edit);
  }

  /** CUF for a positive `columns`, CUB for a negative one. */
  moveBy(columns: number): void {
    if (this.#afterCr && columns < 0) return;
    const edit = this.#editing();
    edit.moveTo(
      columns < 0 ? edit.cursor + columns : Math.max(edit.cursor, Math.min(edit.cursor + columns, this.#cols - 1)),
    );
    this.#leaveEmpty(edit);
  }

  /** CHA; `column` counts from 0. */
  moveTo(column: number): void {
    const edit = this.#editing();
    edit.moveTo(Math.min(column, this.#cols - 1));
    this.#leaveEmpty(edit);
  }

  /** EL: 0 from the cursor on, 1 up to and with it, 2 all of the line. The cursor stays. */
  eraseInLine(mode: number): void {
    if (mode > 2 || (mode === 0 && this.#edit === null && !this.#afterCr)) return;
    if (this.#afterCr && mode !== 1) {
      this.#cutEditable();
      return;
    }
    const edit = this.#editing();
    if (mode === 2) edit.clear();
    else if (mode === 0) edit.erase(edit.cursor, Number.POSITIVE_INFINITY, this.#style);
    else edit.erase(0, edit.cursor + 1, this.#style);
    this.#leaveEmpty(edit);
  }

  /** ECH, DCH, ICH at the cursor. */
  editCharacters(what: 'erase' | 'delete' | 'insert', count: number): void {
    if (this.#edit === null && !this.#afterCr) return;
    const edit = this.#editing();
    const columns = Math.min(count, this.#cols);
    if (what === 'erase') edit.erase(edit.cursor, edit.cursor + columns, this.#style);
    else if (what === 'delete') edit.delete(columns);
    else edit.insert(Math.max(0, Math.min(columns, EDITABLE_BYTES - edit.length)), this.#style);
    this.#leaveEmpty(edit);
  }

  /** REP: the character before the cursor `count` times more. */
  repeat(count: number): void {
    if (this.#afterCr) return;
    const columns = Math.min(count, this.#cols);
    const before = this.#edit ? this.#edit.before : this.#lastCharacter();
    const codePoint = before.codePointAt(0);
    if (codePoint === undefined) return;
    for (let i = 0; i < columns; i++) this.put(codePoint);
  }

  /** Text that can change no more, as the caller's own copy: whole lines, and the start of a very long one. */
  take(): Uint8Array {
    const frozen = this.#edit ? this.#openBytes : Math.max(this.#frozen, this.#frozenOf(this.#openBytes));
    const cut = this.#openAt + Math.max(0, frozen - this.#openTaken);
    const spilled = cut - this.#openAt;
    if (spilled > 0) this.#spill(spilled);
    const text = this.#out.slice(0, cut);
    this.#out.copyWithin(0, cut, this.#length);
    this.#length -= cut;
    this.#openAt = 0;
    this.#openTaken += spilled;
    this.#taken += cut;
    if (this.#out.length > MAX_IDLE_BYTES && this.#length <= INITIAL_BYTES)
      this.#out = this.#out.slice(0, INITIAL_BYTES);
    return text;
  }

  /** As `take`, with all of the open line, which ends here without a line feed. */
  flush(): Uint8Array {
    this.#settle();
    if (this.#openBytes > 0) this.#tell(this.#length, true);
    this.#openAt = this.#length;
    this.#startLine();
    return this.take();
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    const wanted = this.#length + count;
    if (wanted <= this.#out.length) return;
    const grown = new Uint8Array(Math.max(wanted, this.#out.length * 2));
    grown.set(this.#out.subarray(0, this.#length));
    this.#out = grown;
  }

  /** The open line ends with the LF before index `to`. */
  #endLine(to: number): void {
    if (this.#listener) this.#tell(to - 1, true);
    this.#length = to;
    this.#openAt = to;
    this.#lines++;
    this.#startLine();
  }

  #startLine(): void {
    this.#openTaken = 0;
    this.#frozen = 0;
    this.#afterCr = false;
    this.#isAscii = true;
    this.#runs = [];
    this.#noteStyle();
  }

  #tell(to: number, isEnd: boolean): void {
    this.#listener?.(this.#out, { from: this.#openAt, to, runs: this.#runs, isEnd });
  }

  /** The first `count` held bytes of the open line leave the buffer. */
  #spill(count: number): void {
    if (!this.#listener) return;
    const rest: number[] = [];
    const head: number[] = [];
    for (let i = 0; i < this.#runs.length; i += 2) {
      const at = this.#runs[i] as number;
      const style = this.#runs[i + 1] as number;
      if (at < count) head.push(at, style);
      if (at <= count) rest.length = 0;
      rest.push(Math.max(0, at - count), style);
    }
    this.#runs = head;
    this.#tell(this.#openAt + count, false);
    this.#runs = rest;
  }

  #noteStyle(): void {
    if (this.#listener === null || this.#runs.at(-1) === this.#style) return;
    this.#runs.push(this.#length - this.#openAt, this.#style);
  }

  /** How much of a line of so many bytes is beyond overprinting. */
  #frozenOf(lineBytes: number): number {
    const whole = (Math.floor(lineBytes / EDITABLE_BYTES) - 1) * EDITABLE_BYTES;
    if (whole <= this.#openTaken) return Math.min(this.#openTaken, Math.max(whole, 0));
    let at = whole;
    while (at > this.#openTaken && ((this.#out[this.#openAt + at - this.#openTaken] as number) & 0xc0) === 0x80) at--;
    return at;
  }

  /** Index in the buffer where the editable end of the open line starts, which is settled by this. */
  #editableAt(): number {
    this.#frozen = Math.max(this.#frozen, this.#frozenOf(this.#openBytes));
    return this.#openAt + this.#frozen - this.#openTaken;
  }

  /** The open line's editable end as columns, the cursor where it stands. */
  #editing(): EditLine {
    if (this.#edit) return this.#edit;
    const from = this.#editableAt();
    const edit = new EditLine();
    const style = this.#style;
    let at = from - this.#openAt;
    let run = 0;
    for (const char of Buffer.from(this.#out.buffer, this.#out.byteOffset + from, this.#length - from).toString(
      'utf8',
    )) {
      while (run + 2 < this.#runs.length && (this.#runs[run + 2] as number) <= at) run += 2;
      const codePoint = char.codePointAt(0) ?? 0;
      edit.put(char, codePoint, this.#runs[run + 1] ?? style);
      at += utf8Length(codePoint);
    }
    if (this.#afterCr) edit.moveTo(0);
    this.#cutEditable();
    this.#edit = edit;
    return edit;
  }

  /** Drops the editable end of the open line. */
  #cutEditable(): void {
    this.#length = this.#editableAt();
    this.#afterCr = false;
    const kept = this.#length - this.#openAt;
    while (this.#runs.length > 0 && (this.#runs[this.#runs.length - 2] as number) >= kept && kept > 0)
      this.#runs.length -= 2;
    if (kept === 0) this.#runs = [];
  }

  /** Turns columns back into bytes. */
  #settle(): void {
    this.#afterCr = false;
    const edit = this.#edit;
    if (!edit) return;
    this.#edit = null;
    const { bytes, runs } = edit.encode();
    this.reserve(bytes.length);
    if (this.#listener)
      for (let i = 0; i < runs.length; i += 2)
        this.#runs.push(this.#length - this.#openAt + (runs[i] as number), runs[i + 1] as number);
    this.#out.set(bytes, this.#length);
    this.#length += bytes.length;
    // The columns of what was edited are not counted again: from here on this line's tabs go through columns.
    this.#isAscii = false;
  }

  /** Nothing is left to edit and the cursor is where the next character goes: back to plain bytes. */
  #leaveEmpty(edit: EditLine): void {
    if (!edit.isEmpty || edit.cursor > 0) return;
    this.#edit = null;
    this.#isAscii = this.#openBytes === 0;
  }

  #leaveLong(edit: EditLine): void {
    if (edit.cursor >= 2 * EDITABLE_BYTES && edit.cursor >= edit.length) this.#settle();
  }

  /** The last character of the open line; '' when there is none that can be repeated. */
  #lastCharacter(): string {
    const from = this.#editableAt();
    if (this.#length === from) return '';
    let at = this.#length - 1;
    while (at > from && ((this.#out[at] as number) & 0xc0) === 0x80) at--;
    return Buffer.from(this.#out.subarray(at, this.#length)).toString('utf8');
  }
}

function utf8Length(codePoint: number): number {
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
}
