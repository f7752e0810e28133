import type { StreamMark, TerminalView } from '../../src-main/contract/terminal.ts';
import { foldKeys, type Piece } from './foldKeys.ts';
import { SETTLE_MS } from './keysTo.ts';
import { UnreadLine } from './line/UnreadLine.ts';

/** A shell that is busy may take its time until it says that a command began; where none begins, its prompt says so before. */
const NEVER_BEGAN_MS = 2000;

/** Who gets what was typed since Return. */
export interface AheadOwners {
  /** From now on every key is the program's. */
  settled(): void;
  /** Whether its live terminal has the focus, which the composer gets when a command ends. */
  hasKeys(): boolean;
  /** In order: the next piece is given when the last one was taken. */
  program(piece: Piece): Promise<unknown>;
  /** No program wanted them. */
  composer(pieces: readonly Piece[]): void;
  /** They were typed for a command that does not exist: an answer to its prompt, such as a password, or the next line. */
  nobody(pieces: readonly Piece[]): void;
  /** Whether the shell's own line ends with this text, as it is drawn. */
  standsInLine(text: string): Promise<boolean>;
  /** The shell drew this after the composer had the keys: it comes before what stands there. */
  before(text: string): void;
}

/** What every shell gives a command that it does not find. */
const NOT_FOUND = 127;
/** Nobody has read by then that the command does not exist: the first key was meant for it. */
const UNREAD_MS = 500;
/** Who types on without such a pause is still writing the same line. */
const LINE_PAUSE_MS = 1000;

/** How long after the end of a command the shell of a busy machine may still draw what was typed for the command. */
const LATE_MS = 10_000;

/** Takes back what stands in the shell's own line. */
const DISCARD_LINE = '\x15';

/**
 * Keys between Return and the moment when it is known whose they are. A command that goes on gets them as soon as it has settled: by then a
 * password prompt has turned the echo off, and a program has the terminal to be interrupted in. What was typed while a command was already
 * over is the start of the next one.
 */
export class TypedAhead {
  isOn = $state(false);
  #owners: AheadOwners | undefined;
  #pieces: Piece[] = [];
  #hasBegun = false;
  /** The prompt of the command before is still to be drawn, and says nothing of this one. */
  #isEarly = false;
  /** The command that ended last does not exist. */
  #isNotFound = false;
  /** Nothing runs, as far as was told. */
  #isIdle = true;
  /** It is being found out what stands in the shell's line. */
  #isEnding = false;
  /** The command does not exist, and the line that is being typed for it is kept to its end. */
  #isKeepingLine = false;
  #returnMs = 0;
  readonly #unread = new UnreadLine();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Return was pressed. `pieces` were typed after it already. */
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

  /** False when nothing is being kept: the key is the program's. */
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

  /** The core has written the command. A shell that says nothing of its commands has its keys at once. */
  accepted(isSilent: boolean): void {
    if (isSilent) void this.#toProgram();
    else if (!this.#hasBegun) this.#wait(NEVER_BEGAN_MS);
  }

  /** What the core says of the terminal now. */
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
    // The command is over. What was typed meanwhile may stand in the shell's own line now, and what is typed next must not get there.
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

  /** The output has passed this mark. A prompt without a command before it: the line was empty, or not understood. */
  passed(mark: StreamMark['kind']): void {
    this.#unread.passed(mark);
    if (mark !== 'prompt' || !this.isOn || this.#hasBegun) return;
    if (this.#isEarly) this.#isEarly = false;
    else if (this.#timer) this.toComposer();
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

  /** Something was drawn; `line` gives what is before the cursor. */
  drawn(line: () => string): void {
    this.#unread.drawn(line);
    this.#takeBackLate();
  }

  /** Nothing is kept any more; gives what was. */
  end(): Piece[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hasBegun = false;
    this.#isEnding = false;
    this.#isKeepingLine = false;
    this.isOn = false;
    return this.#pieces.splice(0);
  }

  /** A command that was not sent from this composer. */
  #beginOther(): void {
    clearTimeout(this.#timer);
    this.#unread.restart();
    this.#hasBegun = this.#owners !== undefined;
  }

  /** The composer has the keys: what the shell has of the line belongs before them. */
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
    // Once the prompt is there again what is left belongs to the composer, behind what the program did not read.
    while (!this.#isEnding) {
      const piece = this.#next();
      if (!piece) break;
      this.#unread.typed(piece);
      await owners?.program(piece);
    }
    if (this.#owners === owners && !this.#isEnding) this.isOn = false;
  }

  /** A paste, or all keys up to the next one: in one message, so that no prompt comes between them. */
  #next(): Piece | undefined {
    const pasteAt = this.#pieces.findIndex(({ isPaste }) => isPaste);
    if (pasteAt === 0 || this.#pieces.length === 0) return this.#pieces.shift();
    const keys = this.#pieces.splice(0, pasteAt < 0 ? this.#pieces.length : pasteAt);
    return { text: keys.map(({ text }) => text).join(''), isPaste: false };
  }

  /** The prompt is there again. What the program did not read of the last line is put into the composer, and so is what came after it. */
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

  /** The rest of a password must not be written into the composer because its first letters were typed for a command that does not exist. */
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
