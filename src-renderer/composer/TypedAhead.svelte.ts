import type { StreamMark, TerminalView } from '../../src-main/contract/terminal.ts';
import { foldKeys, type Piece } from './foldKeys.ts';
import { SETTLE_MS } from './keysTo.ts';
import { UnreadLine } from './line/UnreadLine.ts';

/** Longest time that a busy shell may take to report the start of a command. If no command starts, its prompt appears earlier. */
const NEVER_BEGAN_MS = 2000;

/** The possible receivers of keys typed since Return. */
export interface AheadOwners {
  /** From now on the program gets every key. */
  settled(): void;
  /** Whether the live terminal has the focus; the composer gets it when a command ends. */
  hasKeys(): boolean;
  /**
   * Sends a piece to the program. The next piece follows when the promise resolves; false if the piece was refused, so that those behind it would be
   * another text.
   */
  program(piece: Piece): Promise<unknown>;
  /** Receives the keys that no program took. */
  composer(pieces: readonly Piece[]): void;
  /** Receives keys typed for a command that does not exist: an answer to its prompt, such as a password, or the next line. */
  nobody(pieces: readonly Piece[]): void;
  /** Whether the shell's own line, as drawn, ends with this text. */
  standsInLine(text: string): Promise<boolean>;
  /** Receives text that the shell drew after the composer got the keys; it belongs before the composer's text. */
  before(text: string): void;
}

/** Exit code of every shell for a command that it does not find. */
const NOT_FOUND = 127;
/** A key within this time was meant for the command: the person cannot have read yet that it does not exist. */
const UNREAD_MS = 500;
/** Until a pause of this length, the person is still typing the same line. */
const LINE_PAUSE_MS = 1000;

/** For this long after the end of a command, a busy shell may still draw keys typed for it. */
const LATE_MS = 10_000;

/** Clears the shell's own line. */
const DISCARD_LINE = '\x15';

/**
 * Holds keys from Return until their receiver is known. A command that keeps running gets them once it has settled: by then a password prompt has
 * turned the echo off, and a program has the terminal, so that it can be interrupted. Keys typed when the command was already over are the start of
 * the next one.
 */
export class TypedAhead {
  isOn = $state(false);
  #owners: AheadOwners | undefined;
  #pieces: Piece[] = [];
  #hasBegun = false;
  /** The prompt of the previous command is not drawn yet; when it comes, it does not end this command. */
  #isEarly = false;
  /** The last command to end does not exist. */
  #isNotFound = false;
  /** No command runs, according to the core. */
  #isIdle = true;
  /** A check is running whether the shell's line has the unread text. */
  #isEnding = false;
  /** The command does not exist, and the line typed for it is held until it is complete. */
  #isKeepingLine = false;
  #returnMs = 0;
  readonly #unread = new UnreadLine();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** When Return was last pressed, ms of `performance.now`. */
  get returnMs(): number {
    return this.#returnMs;
  }

  /** Call when Return was pressed. `pieces` were typed after it already. */
  begin(owners: AheadOwners, { atPrompt }: TerminalView, pieces: readonly Piece[] = []): void {
    this.toComposer();
    clearTimeout(this.#timer);
    this.#owners = owners;
    this.#pieces = [...pieces];
    this.#unread.restart();
    this.#hasBegun = false;
    this.#isEarly = !atPrompt;
    this.#returnMs = performance.now();
    this.isOn = true;
  }

  /** Holds the piece; false if keys are not held now, so that it goes to the program. */
  take(piece: Piece): boolean {
    if (!this.isOn) {
      if (this.#isIdle)
        this.#unread.clear(); // the person types at the shell's own prompt
      else this.#unread.typed(piece);
      return false;
    }
    this.#pieces.push(piece);
    if (this.#isKeepingLine) this.#keepLine();
    return true;
  }

  /** The core has written the command. A shell that does not report its commands gets its keys at once. */
  accepted(isSilent: boolean): void {
    if (isSilent) void this.#toProgram();
    else if (!this.#hasBegun) this.#wait(NEVER_BEGAN_MS);
  }

  /** Updates from the core's view of the terminal. */
  sees(view: TerminalView): void {
    const wasIdle = this.#isIdle;
    this.#isIdle = view.runningBlockId === null;
    if (wasIdle && !this.#isIdle && !this.isOn) this.#beginOther();
    this.#isNotFound = view.lastExitCode === NOT_FOUND;
    this.#unread.readBy(!this.#isIdle && (view.altScreen || view.keyTaker !== null));
    if (view.state === 'exited') {
      this.#unread.clear();
      return this.toComposer();
    }
    // The command is over. Keys typed meanwhile may be in the shell's own line now, and the next keys must not go there.
    if (!this.isOn && this.#hasBegun && this.#isIdle) {
      this.isOn = this.#unread.whole !== '' || this.#owners?.hasKeys() === true;
      if (!this.isOn) this.#hasBegun = false;
    }
    if (!this.isOn || this.#isEnding) return;
    const isBeginning = !this.#isIdle && !this.#hasBegun;
    if (isBeginning) this.#hasBegun = true;
    if (view.altScreen) void this.#toProgram();
    else if (isBeginning) this.#wait(SETTLE_MS);
    else if (this.#isIdle && this.#hasBegun) {
      if (view.atPrompt) void this.#over();
      else this.#wait(SETTLE_MS);
    }
  }

  /** The output has reached this mark. A prompt without a command before it means that the line was empty or not understood. */
  passed(mark: StreamMark['kind']): void {
    this.#unread.passed(mark);
    if (mark !== 'prompt' || !this.isOn || this.#hasBegun) return;
    if (this.#isEarly) this.#isEarly = false;
    else if (this.#timer) this.toComposer();
  }

  /** The person asks for the composer: it gets what is held. The keys of a command that is over are on their way there already. */
  leave(): void {
    if (!this.isOn || this.#isEnding) return;
    const hasBegun = this.#hasBegun;
    const pieces = this.end();
    this.#hasBegun = hasBegun;
    this.#owners?.composer(pieces);
  }

  toComposer(): void {
    if (!this.isOn) return;
    const isForNobody = this.#hasBegun && this.#isNotFound;
    const pieces = this.end();
    if (isForNobody) this.#unread.clear();
    if (!this.#unread.isEmpty) this.#timer = setTimeout(() => this.#unread.clear(), LATE_MS);
    if (isForNobody) this.#owners?.nobody(pieces);
    else this.#owners?.composer(pieces);
    this.#takeBackLate();
  }

  /** Call when something was drawn; `line` returns the text before the cursor. */
  drawn(line: () => string): void {
    this.#unread.drawn(line);
    this.#takeBackLate();
  }

  /** Stops holding; returns the held pieces. */
  end(): Piece[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hasBegun = false;
    this.#isEnding = false;
    this.#isKeepingLine = false;
    this.isOn = false;
    return this.#pieces.splice(0);
  }

  /** A command started that this composer did not send. */
  #beginOther(): void {
    clearTimeout(this.#timer);
    this.#unread.restart();
    this.#hasBegun = this.#owners !== undefined;
  }

  /** The composer has the keys: moves the text in the shell's line into the composer, before its own text. */
  #takeBackLate(): void {
    const left = this.isOn || !this.#isIdle ? '' : this.#unread.left();
    if (left === '') return;
    this.#unread.clear();
    void this.#owners?.program({ text: DISCARD_LINE, isPaste: false });
    this.#owners?.before(left);
  }

  async #toProgram(): Promise<void> {
    clearTimeout(this.#timer);
    const owners = this.#owners;
    owners?.settled();
    // Once the prompt is back, the remaining keys belong to the composer, after those that the program did not read.
    while (!this.#isEnding) {
      const piece = this.#next();
      if (!piece) break;
      this.#unread.typed(piece);
      const isRefused = (await owners?.program(piece)) === false;
      if (isRefused && this.#owners === owners) this.#pieces = []; // typed before the person knew of it
    }
    if (this.#owners === owners && !this.#isEnding) this.isOn = false;
  }

  /** Takes a paste, or all keys up to the next paste as one message, so that no prompt comes between them. */
  #next(): Piece | undefined {
    const pasteAt = this.#pieces.findIndex(({ isPaste }) => isPaste);
    if (pasteAt === 0 || this.#pieces.length === 0) return this.#pieces.shift();
    const keys = this.#pieces.splice(0, pasteAt < 0 ? this.#pieces.length : pasteAt);
    return { text: keys.map(({ text }) => text).join(''), isPaste: false };
  }

  /** The prompt is back: moves keys that the program did not read, and later ones, into the composer. */
  async #over(): Promise<void> {
    const [owners, line] = [this.#owners, this.#unread.whole];
    this.#isEnding = true;
    clearTimeout(this.#timer);
    if (line !== '' && (await owners?.standsInLine(line))) {
      this.#unread.clear();
      await owners?.program({ text: DISCARD_LINE, isPaste: false });
      this.#pieces.unshift({ text: line, isPaste: true });
    }
    if (this.#owners !== owners) return;
    if (this.#isNotFound) this.#keepLine();
    else this.toComposer();
  }

  /** Holds the line to its end, so that the rest of a password does not end up in the composer when the command does not exist. */
  #keepLine(): void {
    clearTimeout(this.#timer);
    const isBegun = this.#pieces.length > 0;
    const leftMs = isBegun ? LINE_PAUSE_MS : UNREAD_MS - (performance.now() - this.#returnMs);
    this.#isKeepingLine = leftMs > 0 && foldKeys('', this.#pieces).rest === undefined;
    if (this.#isKeepingLine) this.#timer = setTimeout(() => this.toComposer(), leftMs);
    else this.toComposer();
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void (this.#isIdle ? this.#over() : this.#toProgram()), ms);
  }
}
