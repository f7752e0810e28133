import { EditLine } from './EditLine.ts';
import { EDITABLE_BYTES, type LineBuffer } from './LineBuffer.ts';
import type { StyleRuns } from './StyleRuns.ts';

/** The end of the open line, which the cursor can reach: bytes of the buffer, or columns once the cursor has moved inside the line. */
export class EditableEnd {
  readonly #buffer: LineBuffer;
  readonly #runs: StyleRuns | null;
  #edit: EditLine | null = null;
  #afterCr = false;

  /** `runs`: styles of the open line; null if they are not needed. */
  constructor(buffer: LineBuffer, runs: StyleRuns | null) {
    this.#buffer = buffer;
    this.#runs = runs;
  }

  /** The columns; the buffer then ends before them. Null while the end is held as bytes. */
  get edit(): EditLine | null {
    return this.#edit;
  }

  /** The cursor is at the line's start, but nothing was overprinted yet: usually LF follows. */
  get afterCr(): boolean {
    return this.#afterCr;
  }

  /** The cursor is behind the line's last byte, so that text is only appended. */
  get isAppending(): boolean {
    return this.#edit === null && !this.#afterCr;
  }

  carriageReturn(): void {
    if (this.#edit) this.#edit.moveTo(0);
    else this.#afterCr = this.#buffer.openBytes > 0;
  }

  /** Converts the bytes to columns, with the cursor at its position. `style` is that of text without a run. */
  editing(style: number): EditLine {
    if (this.#edit) return this.#edit;
    const from = this.#buffer.editableAt();
    const edit = new EditLine();
    const styleAt = this.#runs?.reader(style);
    let at = from - this.#buffer.openAt;
    for (const char of this.#buffer.textFrom(from)) {
      const codePoint = char.codePointAt(0) ?? 0;
      edit.put(char, codePoint, styleAt ? styleAt(at) : 0);
      at += utf8Length(codePoint);
    }
    if (this.#afterCr) edit.moveTo(0);
    this.cut();
    this.#edit = edit;
    return edit;
  }

  /** Drops the bytes. */
  cut(): void {
    this.#buffer.length = this.#buffer.editableAt();
    this.#afterCr = false;
    this.#runs?.cutTail(this.#buffer.length - this.#buffer.openAt);
  }

  /** Turns columns back into bytes, with the cursor behind them. */
  settle(): void {
    this.#afterCr = false;
    const edit = this.#edit;
    if (!edit) return;
    this.#edit = null;
    const bytes = edit.encode();
    // If each column is one byte, the line is as if it had never been edited.
    this.#buffer.isAscii &&= bytes.length === edit.length;
    if (this.#runs) this.#runs.append(this.#buffer.length - this.#buffer.openAt, edit.runs());
    this.#buffer.append(bytes);
  }

  /** Returns to bytes if nothing is left to edit and the cursor is at the next character's position. */
  leaveEmpty(): void {
    if (!this.#edit?.isEmpty || this.#edit.cursor > 0) return;
    this.#edit = null;
    this.#buffer.isAscii = this.#buffer.openBytes === 0;
  }

  /** Returns to bytes if a line is too long for columns and the cursor is at its end, or if too many characters are attached. */
  leaveLong(): void {
    if (!this.#edit) return;
    const isAtEnd = this.#edit.cursor >= this.#edit.length;
    if (this.#edit.weight >= (isAtEnd ? 2 : 4) * EDITABLE_BYTES) this.settle();
  }

  /** The character before the cursor; '' if there is none to repeat. */
  get before(): string {
    if (this.#afterCr) return '';
    return this.#edit ? this.#edit.before : this.#buffer.lastEditable;
  }
}

function utf8Length(codePoint: number): number {
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
}
