import { SentText } from '../../conversations/extraction/SentText.ts';
import { ControlTokens } from '../../events/ControlTokens.ts';
import type { OuterTerminal } from '../../recordings/recordProgram.ts';
import { ScreenModel } from '../../screen/emulator/ScreenModel.ts';
import { graphemesOf } from '../../shared/xterm/cellWidths.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { TerminalModeTracker } from '../attach/TerminalModeTracker.ts';
import { MarkKeys } from './MarkKeys.ts';
import type { Mark } from './marks.ts';

type Tokens = Parameters<OuterTerminal['show']>[1];
type Listeners = Parameters<OuterTerminal['listen']>[0];
type Moment = Omit<Mark, 'kind' | 'text'>;

const NOTHING = new Uint8Array(0);
const NO_TOKENS: Tokens = () => undefined;
/** The terminal's answers to a program's queries arrive like keys. */
const REPLY = /\x1b\[[?>=]?[\d;]*(?:[Rcn]|\$y)|\x1b\[\?\d*u|\x1b[\]P][^\x07\x1b]*(?:\x07|\x1b\\)/g;

/**
 * A terminal on which a person marks moments of the program that runs on it. While a mark is made, the program continues and its screen is held: its
 * last row shows the prompt for the mark. Then the current screen is drawn.
 */
export class CaptureTerminal implements OuterTerminal, IDisposable {
  readonly #inner: OuterTerminal;
  readonly #clock: Clock;
  readonly #model: ScreenModel;
  readonly #modes = new TerminalModeTracker();
  readonly #sent = new SentText();
  readonly #keys = new MarkKeys(() => this.#lastSent);
  readonly #marks: Mark[] = [];
  #lastSent = '';
  /** The moment after the last byte. */
  #now: Moment;
  /** The moment when the mark key was pressed. */
  #marked: Moment | null = null;

  /** `prelude`: content of the screen before the program's first byte. */
  constructor(inner: OuterTerminal, clock: Clock, prelude: string) {
    this.#inner = inner;
    this.#clock = clock;
    this.#model = new ScreenModel({ ...inner.size, scrollbackLines: 0 }, clock);
    this.#model.write(Buffer.from(prelude));
    const nowMs = clock.nowMs();
    this.#now = { at: 0, atMs: nowMs, stillMs: nowMs, rows: this.#rows(), cols: inner.size.cols };
    this.#sent.typed('\r'); // starts with an empty line
    inner.show(Buffer.from(`\x1b[H\x1b[2J${prelude}`), NO_TOKENS);
  }

  get size(): { cols: number; rows: number } {
    return this.#inner.size;
  }

  /** In the order of creation. */
  get marks(): readonly Mark[] {
    return this.#marks;
  }

  show(bytes: Uint8Array, eachToken: Tokens): void {
    const { at, rows, stillMs } = this.#now;
    this.#model.write(bytes);
    const after = this.#rows();
    const isStill = after.length === rows.length && after.every((text, row) => text === rows[row]);
    const nowMs = this.#clock.nowMs();
    const { cols } = this.#model;
    this.#now = { at: at + bytes.length, atMs: nowMs, stillMs: isStill ? stillMs : nowMs, rows: after, cols };
    // While held, the bytes are not shown: the screen drawn afterwards includes them, and their modes still count.
    this.#showInner(this.#keys.isOn ? NOTHING : bytes, eachToken);
  }

  listen(on: Listeners): IDisposable {
    return this.#inner.listen({ ...on, typed: (bytes) => this.#typed(bytes, on), resized: () => this.#resized(on) });
  }

  dispose(): void {
    this.#model.dispose();
  }

  #typed(bytes: Uint8Array, on: Listeners): void {
    const wasOn = this.#keys.isOn;
    const { passed, isBegun, made } = this.#keys.feed(bytes);
    if (isBegun) this.#marked = { ...this.#now, atMs: this.#clock.nowMs() };
    const marked = this.#marked;
    if (marked) this.#marks.push(...made.map((one) => ({ ...one, ...marked })));
    if (this.#keys.isOn) this.#drawRow();
    else if (wasOn || isBegun) this.#drawAll();
    if (passed.length === 0) return;
    const keys = Buffer.from(passed).toString('utf8').replaceAll(REPLY, '');
    // a lone Escape is not the start of a key sequence that comes later
    if (keys !== '\x1b') for (const text of this.#sent.typed(keys)) this.#lastSent = text ?? '';
    on.typed(passed);
  }

  #resized(on: Listeners): void {
    this.#model.resize(this.size);
    on.resized();
    if (this.#keys.isOn) this.#drawRow();
  }

  #rows(): string[] {
    return this.#model.frame().rows.map(({ text }) => text.trimEnd());
  }

  /** Shows the end of the row if it is longer than the window. */
  #drawRow(): void {
    const { cols, rows } = this.size;
    const text = rowEnd(escapeLine(this.#keys.row ?? ''), cols - 1);
    this.#inner.show(Buffer.from(`\x1b[?25l\x1b[${rows};1H\x1b[0;7m\x1b[2K${text}\x1b[0m`), NO_TOKENS);
  }

  #drawAll(): void {
    const text = `${this.#modes.takeReset()}\x1b[0m\x1b[?25h\x1b[H\x1b[2J${this.#model.serialize(0)}`;
    const bytes = Buffer.from(text);
    this.#showInner(bytes, (visit) => new ControlTokens().scan(bytes, visit));
  }

  /** Modes that a program sets while its screen is held apply to the screen drawn afterwards. */
  #showInner(bytes: Uint8Array, eachToken: Tokens): void {
    const { isOn } = this.#keys;
    this.#inner.show(bytes, (visit) =>
      eachToken((kind, own, from, end) => {
        if (!isOn) this.#modes.take(kind, own, from, end);
        visit(kind, own, from, end);
      }),
    );
  }
}

/** The end of `text` if it is longer than so many cells, because typing happens at its end. */
function rowEnd(text: string, cells: number): string {
  const shown: string[] = [];
  let used = 1;
  for (const own of graphemesOf(text).toReversed()) {
    used += own.cells;
    if (used > cells) return `…${shown.join('')}`;
    shown.unshift(own.text);
  }
  return shown.join('');
}
