import type { StreamItem } from '../../contract/terminal.ts';
import { QueryFilter } from '../../events/QueryFilter.ts';
import { ScreenModel } from '../../screen/emulator/ScreenModel.ts';
import type { Size } from '../../terminal/viewers/SizeOwner.ts';
import { Letterbox } from './Letterbox.ts';
import { isInputMode, TerminalModeTracker } from './TerminalModeTracker.ts';

type Start = Extract<StreamItem, { type: 'state' | 'replay' }>;

const SCROLLBACK_LINES = 1000;
const OWN_SCREEN = '\x1b[?1049h\x1b[H\x1b[2J';
const LEAVE_OWN_SCREEN = '\x1b[?25h\x1b[m\x1b[?1049l';

/**
 * Computes the output that makes an outside terminal show one of ours. With equal sizes the bytes pass unchanged, except for queries. If another
 * viewer has sized the terminal, a screen model follows the bytes, and its frames are drawn into the available space (`draw`, as often as the caller
 * likes). Each change between the two starts with a new state.
 */
export class AttachedScreen {
  readonly #modes = new TerminalModeTracker();
  readonly #letterbox: Letterbox;
  #local: Size;
  #filter = new QueryFilter();
  #hasStarted = false;
  /** Follows a terminal that has another size than the local one. */
  #model: ScreenModel | null = null;

  constructor(local: Size) {
    this.#local = local;
    this.#letterbox = new Letterbox(local);
  }

  /** The terminal's size if it differs from the local one; `draw` shows it then. */
  get otherSize(): Size | null {
    return this.#model && { cols: this.#model.cols, rows: this.#model.rows };
  }

  /** Shows the terminal in this state, whatever was shown before. */
  start(start: Start): Uint8Array {
    const isSame = start.cols === this.#local.cols && start.rows === this.#local.rows;
    let text = this.#modes.takeReset();
    if (this.#model && isSame) text += LEAVE_OWN_SCREEN;
    if (!this.#model && !isSame) text += OWN_SCREEN;
    this.#model?.dispose();
    this.#model = isSame ? null : new ScreenModel({ ...sizeOf(start), scrollbackLines: SCROLLBACK_LINES });
    this.#filter = new QueryFilter();
    this.#letterbox.resize(this.#local);
    const bytes = start.type === 'state' ? Buffer.from(start.data) : linesOf(Buffer.from(start.data, 'base64'));
    const isAgain = this.#hasStarted;
    this.#hasStarted = true;
    if (!isSame) return Buffer.concat([Buffer.from(text), this.show(bytes)]);
    if (isAgain)
      return Buffer.concat([Buffer.from(`${text}\x1b[H\x1b[2J`), this.show(withoutScrollback(start, bytes))]);
    // Moves the content of the screen into the scrollback instead of erasing it.
    if (start.type === 'state') text += `\x1b[${start.rows};1H${'\n'.repeat(start.rows)}\x1b[H`;
    return Buffer.concat([Buffer.from(text), this.show(bytes)]);
  }

  /** Shows live bytes, or those of the start. When frames are drawn, only modes of keys, mouse and pastes pass. */
  show(bytes: Uint8Array): Uint8Array {
    const { passed, tokens } = this.#filter.feed(bytes);
    if (!this.#model) {
      this.#modes.feed(tokens);
      return passed;
    }
    this.#model.write(bytes);
    const input = tokens.filter(isInputMode);
    this.#modes.feed(input);
    return Buffer.concat(input.map((token) => token.bytes));
  }

  /** Updates the local terminal when it shows frames instead of bytes (`otherSize`). */
  draw(): string {
    return this.#model ? this.#letterbox.draw(this.#model.frame()) : '';
  }

  /** The terminal has this size now. False if a new state is needed. */
  terminalResized({ cols, rows }: Size): boolean {
    const isSame = cols === this.#local.cols && rows === this.#local.rows;
    if (isSame || !this.#model) return false;
    this.#model.resize({ cols, rows });
    return true;
  }

  localResized(local: Size): void {
    this.#local = local;
    this.#letterbox.resize(local);
  }

  /** Releases the local terminal: returns sequences that reset exactly the changed modes. */
  leave(): string {
    const text = this.#modes.takeReset() + (this.#model ? LEAVE_OWN_SCREEN : '');
    this.#model?.dispose();
    this.#model = null;
    return text;
  }
}

function sizeOf({ cols, rows }: Size): Size {
  return { cols, rows };
}

/** The local terminal has those lines in its scrollback already. */
function withoutScrollback(size: Size, state: Uint8Array): Uint8Array {
  const model = new ScreenModel({ ...sizeOf(size), scrollbackLines: SCROLLBACK_LINES });
  model.write(state);
  const text = model.serialize(0);
  model.dispose();
  return Buffer.from(text);
}

/** A replay has LF for a new line; a raw terminal would stay in the same column. */
function linesOf(replay: Buffer): Buffer {
  return Buffer.from(replay.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1');
}
