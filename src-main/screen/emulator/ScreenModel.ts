import xterm from '@xterm/headless';
import type { Frame, TerminalColors } from '../../contract/screen/frame.ts';
import type { StateLines } from '../../contract/screen/stateLines.ts';
import { UnicodeGraphemesAddon } from '../../shared/xterm/graphemes.ts';
import { guardXterm, loadGraphemes } from '../../shared/xterm/xtermGuards.ts';
import { internalsOf, type XtermCore } from '../../shared/xterm/xtermInternals.ts';
import { type Clock, systemClock } from '../../util/Clock.ts';
import { Disposables, type IDisposable } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import { FrameSampler } from '../frames/FrameSampler.ts';
import { readInput, type ScreenInput } from '../rows/promptText.ts';
import { ScrolledOffRows } from '../rows/ScrolledOffRows.ts';
import { ShellText } from '../rows/ShellText.ts';
import { type Skimmed, skim } from '../rows/skim.ts';
import { afterLastUpdate } from './afterLastUpdate.ts';
import { CommandMarks, isOfText, type MarkKind } from './CommandMarks.ts';
import { colorReplies } from './colorReplies.ts';
import { ReplyFilter } from './ReplyFilter.ts';
import { ScreenWriter } from './ScreenWriter.ts';
import { serializeState } from './serializeState.ts';

export interface ScreenSize {
  cols: number;
  rows: number;
}

export interface ScreenOptions extends ScreenSize {
  /** Rows to keep above the screen. */
  scrollbackLines: number;
  /** Only for tests of the watchdog: lets the emulator hang on hostile counts. */
  unguarded?: boolean;
}

/**
 * One terminal's emulator: takes bytes, returns frames, state and answers. `write` parses before it returns, so later questions
 * refer to exactly the bytes written before. Accepts any bytes and never throws because of them.
 */
export class ScreenModel implements IDisposable {
  readonly #owned = new Disposables();
  readonly #terminal: xterm.Terminal;
  readonly #core: XtermCore;
  readonly replyFilter: ReplyFilter;
  readonly #reply = this.#owned.add(new Emitter<string>());
  readonly #writer: ScreenWriter;
  #title = '';
  #colors: TerminalColors | undefined;
  #epoch = 0;
  readonly #frames: FrameSampler;
  readonly #marks: CommandMarks;

  /** Marks the cells that the shell itself writes. */
  readonly shellText: ShellText;
  /** The rows that leave through the top of the screen. */
  readonly leaving: ScrolledOffRows;
  /** True while replayed bytes are parsed: their queries were already answered. */
  isReplaying = false;

  /** Answers to the program's queries, for the PTY: at most 50 a second, each of an allowed form. */
  readonly onReply = this.#reply.on;

  constructor({ cols, rows, scrollbackLines, unguarded }: ScreenOptions, clock: Clock = systemClock) {
    this.replyFilter = new ReplyFilter(() => clock.monotonicMs());
    this.#terminal = new xterm.Terminal({
      cols,
      rows,
      scrollback: scrollbackLines,
      allowProposedApi: true,
      windowOptions: { getWinSizePixels: true, getCellSizePixels: true }, // answered in `answerImageQueries`
      logLevel: 'off', // with logging on, unknown sequences alone cost two thirds of the speed
    });
    this.#owned.add(this.#terminal);
    this.#core = internalsOf(this.#terminal);
    this.#marks = this.#owned.add(new CommandMarks(this.#terminal));
    this.shellText = new ShellText(this.#core);
    loadGraphemes(this.#terminal, new UnicodeGraphemesAddon());
    if (!unguarded) this.#owned.add(guardXterm(this.#terminal, (title) => (this.#title = title)));
    this.#writer = new ScreenWriter(this.#terminal, this.#core, (reply) => this.#answer(reply));
    this.leaving = this.#owned.add(new ScrolledOffRows(this.#terminal, this.#core));
    this.#frames = new FrameSampler({
      terminal: this.#terminal,
      core: this.#core,
      clock,
      seen: () => ({ title: this.#title, epoch: this.#epoch, leaving: this.leaving }),
    });
    this.#listen();
  }

  get cols(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /** The emulator itself, for readers in this folder. */
  get terminal(): xterm.Terminal {
    return this.#terminal;
  }

  get core(): XtermCore {
    return this.#core;
  }

  /** The next byte starts something new: no escape sequence or character is incomplete. */
  get isAtBoundary(): boolean {
    return this.#writer.isGround && this.heldBytes === 0;
  }

  /** Bytes of an incomplete character: written, but in no frame and no state. 0 to 3. */
  get heldBytes(): number {
    return this.#writer.heldBytes;
  }

  /** Writes bytes of the stream at `offset`; without it, after the bytes before. */
  write(bytes: Uint8Array, offset?: number): void {
    if (offset !== undefined) this.#writer.seek(offset - this.heldBytes);
    this.#writer.write(bytes, (whole) => {
      // No reader looks during this call, so synchronized updates that end in it get no frame, which would cost more than they do.
      const ended = afterLastUpdate(whole);
      this.#frames.isSyncPassing = ended > 0;
      if (ended > 0) this.#core._inputHandler.parse(whole.subarray(0, ended));
      this.#frames.isSyncPassing = false;
      this.#core._inputHandler.parse(ended > 0 ? whole.subarray(ended) : whole);
    });
  }

  /** Restores the state that another emulator has serialized. */
  restore(state: string): void {
    this.#writer.restore(state, (bytes) => this.write(bytes));
  }

  /**
   * Finds the beginning of many bytes that would have scrolled out of the scrollback by their end. `writeSkimmed` and the rest of the
   * bytes then give the same state as all of them. undefined if nothing can be skipped.
   */
  skim(bytes: Uint8Array): Skimmed | undefined {
    return this.#canSkim() ? skim(bytes, this.rows, this.#terminal.options.scrollback ?? 0) : undefined;
  }

  /** Writes what the skipped bytes leave behind. The rest of them must follow: until then the screen is blank. */
  writeSkimmed({ looks, lineFeeds }: Pick<Skimmed, 'looks' | 'lineFeeds'>): void {
    this.write(looks);
    this.write(new TextEncoder().encode(`\r${'\n'.repeat(lineFeeds)}`));
  }

  resize({ cols, rows }: ScreenSize): void {
    if (cols === this.cols && rows === this.rows) return;
    this.#marks.resized();
    this.leaving.beforeResize();
    this.#terminal.resize(cols, rows);
  }

  setColors(colors: TerminalColors): void {
    this.#colors = colors;
  }

  /** Forgets where the prompt ended, when a mark came too late to have a position. */
  loseMarks(): void {
    this.#marks.lose();
  }

  /** Notes that the shell's cycle has reached `kind`, between the bytes written before and after. */
  mark(kind: MarkKind): void {
    if (kind === 'end' || kind === 'prompt') return; // has no position on the screen
    if (isOfText(kind)) this.shellText.set(kind === 'shellText');
    else this.#marks.note(kind);
  }

  /** Lines of the normal buffer, scrollback included, at which the current prompt and the running command's output start. */
  lines(): StateLines {
    return this.#marks.lines();
  }

  /** Row of the cursor on the screen, from 0. */
  get cursorRow(): number {
    return this.#terminal.buffer.active.cursorY;
  }

  /** The program wants pastes bracketed (DEC mode 2004). */
  get bracketedPaste(): boolean {
    return this.#core.coreService.decPrivateModes.bracketedPasteMode;
  }

  /** The text typed at the prompt, or null if the cells do not show it exactly. Until the next prompt, the last command's text. */
  commandText(): string | null {
    return this.#marks.commandText();
  }

  /** Rows of the last command, if it was entered in several rows. */
  get commandRows(): readonly string[] | null {
    return this.#marks.commandRows;
  }

  /** The shell's line in the cells, and how to send keys. */
  input(): ScreenInput {
    const { decPrivateModes: modes } = this.#core.coreService;
    const { activeProtocol, activeEncoding } = this.#core.coreMouseService;
    return {
      ...readInput(this.#terminal, this.#marks.promptEnd),
      bracketedPaste: modes.bracketedPasteMode,
      applicationCursor: modes.applicationCursorKeys,
      mouse: activeProtocol === 'NONE' ? null : { protocol: activeProtocol, encoding: activeEncoding },
      syncOutput: modes.synchronizedOutput,
    };
  }

  /** Assumes that the prompt ends at the cursor, if its end is unknown. */
  markInput(): void {
    this.#marks.assumeEnd();
  }

  /**
   * The state as escape sequences for a fresh emulator of the same size; see `serializeState`. Ends with the beginning of an
   * incomplete escape sequence, which the bytes written next (from `heldBytes` back) continue.
   */
  serialize(scrollbackLines = Number.MAX_SAFE_INTEGER): string {
    return this.#writer.stateOf(serializeState(this.#terminal, scrollbackLines));
  }

  /** Empties the emulator and starts a new epoch, as when state was lost. */
  reset(): void {
    this.#terminal.reset();
    this.#epoch += 1;
    this.#marks.dropPromptEnd();
  }

  /** Another program takes over: starts a new epoch without the old title. The text on the screen stays. */
  beginAnew(): void {
    this.#epoch += 1;
    this.#title = '';
    this.#marks.dropPromptEnd();
  }

  /** The current screen; during a synchronized update, the frame before it. The same object if nothing changed. */
  frame(): Frame {
    return this.#frames.take().frame;
  }

  get frames(): FrameSampler {
    return this.#frames;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** True if the next output can only scroll the whole normal buffer, whatever was printed before. */
  #canSkim(): boolean {
    const { coreService, buffers, _inputHandler } = this.#core;
    const { decPrivateModes: modes } = coreService;
    const { active, normal } = buffers;
    const isWhole = active === normal && active.scrollTop === 0 && active.scrollBottom === this.rows - 1;
    const isUsual = !modes.origin && modes.wraparound && !coreService.modes.insertMode;
    return isWhole && isUsual && this.isAtBoundary && _inputHandler._curAttrData.extended.urlId === 0;
  }

  #listen(): void {
    const { parser } = this.#terminal;
    this.#owned.add(this.#terminal.onData((reply) => this.#answer(reply)));
    for (const ident of [10, 11, 12]) {
      this.#owned.add(parser.registerOscHandler(ident, (data) => this.#answerColors(ident, data)));
    }
    this.#owned.add(parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => this.#beforeModeSet(params)));
    this.#owned.add(parser.registerEscHandler({ final: 'c' }, () => this.#beforeReset()));
  }

  #answer(reply: string): void {
    if (!this.isReplaying && this.replyFilter.passes(reply)) this.#reply.fire(reply);
  }

  /** A synchronized update begins: until it ends, frames show the screen before it. */
  #beforeModeSet(params: (number | number[])[]): boolean {
    if (params.includes(2026)) this.#frames.beginSync();
    return false;
  }

  #beforeReset(): boolean {
    this.#epoch += 1;
    this.#title = '';
    return false;
  }

  #answerColors(ident: number, data: string): boolean {
    for (const reply of colorReplies(this.#colors, ident, data)) this.#answer(reply);
    return data.split(';').includes('?');
  }
}
