import type { ScreenStep } from '../../contract/chat/extractor.ts';
import type { FrameRow } from '../../contract/screen/frame.ts';
import type { Clock } from '../../util/Clock.ts';
import { Disposables, type IDisposable } from '../../util/Disposables.ts';
import type { ScreenModel } from '../emulator/ScreenModel.ts';
import type { TakenFrame } from '../frames/FrameHistory.ts';
import { readFrameRow } from '../rows/frameRows.ts';
import { LongWrites } from './LongWrites.ts';
import { ResizeLag } from './ResizeLag.ts';

/** A screen without output for this long counts as drawn; … */
const QUIET_MS = 16;
/** … one that is drawn all the time is read this often, … */
const AT_MOST_MS = 48;
/** … in a pause of this length, so that a screen drawn in pieces is not read between two, … */
const PAUSE_MS = 3;
/** … but no later than this. */
const AT_LAST_MS = 64;
/** The rest of a drawing that was cut off is awaited for this long after its last piece, … */
const REST_MS = 250;
/** … and no longer than this after its first. */
const REST_AT_LAST_MS = 400;
/** Least time between reads before erasures, for a program that erases the screen all the time. */
const BEFORE_ERASE_MS = 8;
/** Number of reads that may come sooner than `AT_MOST_MS` after the one before; then none until as many were saved. */
const CLOSE_LOOKS = 24;

/** Which rows belong to a program at its first step on the normal screen. */
interface Beginning {
  /** Rows at the top of the screen that are not the program's. */
  foreignRows: number;
  /** Its rows above the screen, or null if only those that left since are known. */
  above: FrameRow[] | null;
}

/**
 * Reports what happened to the screen between reads, for a reader of a conversation. Between two steps no row is lost
 * that left through the top, and the screen is read before a complete erasure.
 */
export class ScreenStepRecorder implements IDisposable {
  readonly #model: ScreenModel;
  readonly #clock: Clock;
  readonly #tell: (step: ScreenStep) => void;
  readonly #owned = new Disposables();
  readonly #writes = new LongWrites();
  #last: TakenFrame | undefined;
  #tookMs = Number.NEGATIVE_INFINITY;
  /** The time that all reads would take at `AT_MOST_MS` each. */
  #spentMs = Number.NEGATIVE_INFINITY;
  #changedMs = Number.NEGATIVE_INFINITY;
  /** Time of the first change since the last read. */
  #sinceMs = Number.NEGATIVE_INFINITY;
  #isChanged = true;
  #isErased = false;
  readonly #lag: ResizeLag;
  /** Rows that left before the last erasure or break, if there was no step then. */
  readonly #leftApart: FrameRow[] = [];
  /** A step of the normal screen has said which of its rows are the shell's. */
  #hasBegun = false;
  /** In a synchronized update when it was last looked: its end shows a whole picture. */
  #wasHeld = false;
  /** The next read that is due. */
  #next: { readonly timer: IDisposable; readonly atMs: number } | undefined;
  /** Reads the screen again once a program that lags behind a resize must have drawn it. */
  #fitTimer: IDisposable | undefined;
  readonly #waiting: (() => void)[] = [];

  /** `tell` is also called during `write`, before an erasure. */
  constructor(model: ScreenModel, clock: Clock, tell: (step: ScreenStep) => void) {
    this.#model = model;
    this.#clock = clock;
    this.#tell = tell;
    const { terminal } = model;
    this.#lag = new ResizeLag(terminal.cols);
    this.#owned.add(terminal.onResize((size) => this.#resized(size)));
    model.leaving.collect(true, this);
    this.#owned.add(model.leaving.onBreaking(() => this.#setApart()));
    this.#owned.add(model.leaving.onRedrawn(() => this.#setApartUnlessErased()));
    const { parser, buffer } = terminal;
    for (const id of [{ final: 'J' }, { prefix: '?', final: 'J' }]) {
      this.#owned.add(parser.registerCsiHandler(id, (params) => this.#beforeErase(Number(params[0] ?? 0))));
    }
    this.#owned.add(parser.registerEscHandler({ final: 'c' }, () => this.#beforeLoss()));
    for (const final of ['H', 'f']) {
      this.#owned.add(parser.registerCsiHandler({ final }, ([row, col]) => this.#beforeMove(Number(row), Number(col))));
    }
    for (const final of ['h', 'l']) {
      this.#owned.add(parser.registerCsiHandler({ prefix: '?', final }, (params) => this.#beforeSwitch(params)));
    }
    this.#owned.add(
      buffer.onBufferChange(() => {
        this.#isErased = true;
      }),
    );
  }

  /** Call this after the bytes up to `at` were parsed. */
  changed(at: number): void {
    this.#changedMs = this.#clock.monotonicMs();
    if (!this.#isChanged) {
      this.#sinceMs = this.#changedMs;
      this.#writes.begin();
    }
    this.#writes.add(at);
    this.#isChanged = true;
  }

  /** Call this after the last parsing of a turn: takes the step if it is due, otherwise sets a timer. */
  settle(): void {
    const dueMs = this.#isChanged ? this.#dueMs : Number.NEGATIVE_INFINITY;
    const waitMs = dueMs - this.#clock.monotonicMs();
    if (this.#isChanged && waitMs <= 0) this.take();
    if (waitMs <= 0) return this.#release();
    if (this.#next && this.#next.atMs <= dueMs) return;
    this.#next?.timer.dispose();
    const timer = this.#clock.after(Math.ceil(waitMs), () => {
      this.#next = undefined;
      this.settle();
    });
    this.#next = { timer, atMs: dueMs };
  }

  /**
   * Calls `then` when no screen is half drawn and its step was sent: at once if nothing has changed since the last step. A step that
   * cannot wait, such as the one before an erasure, does not call it.
   */
  whenDrawn(then: () => void): void {
    this.#waiting.push(then);
    this.settle();
  }

  #release(): void {
    for (const then of this.#waiting.splice(0)) then();
  }

  /** Sends the changes since the last step, if any. */
  take(): void {
    const taken = this.#model.frames.take();
    const isHeld = this.#model.frames.holdMs > 0;
    this.#isChanged = isHeld;
    this.#wasHeld = isHeld;
    this.#tookMs = this.#clock.monotonicMs();
    this.#spentMs = Math.max(this.#spentMs, this.#tookMs) + AT_MOST_MS;
    if (!isHeld && this.#model.leaving.isRedrawn) this.#setApartUnlessErased();
    const leftApart = isHeld ? [] : this.#leftApart.splice(0);
    const left = isHeld ? [] : [...leftApart, ...this.#model.leaving.take(this)];
    if (left.length === 0 && !this.#isErased && isSame(this.#last, taken)) return;
    const beginning = this.#hasBegun ? undefined : this.#begin();
    const isMisfit = this.#lag.isMisfit(this.#tookMs);
    this.#last = isMisfit ? undefined : taken; // what does not fit is read again, even if nothing changes
    if (isMisfit) this.#takeOnceFit();
    const { frame } = taken;
    const { below } = this.#model.leaving;
    this.#tell({
      at: this.#writes.at,
      atMs: taken.atMs,
      seq: frame.seq,
      left: beginning?.above ?? left,
      ...(beginning && { foreignRows: beginning.foreignRows }),
      isErased: !isHeld && this.#isErased,
      ...(!beginning?.above && leftApart.length > 0 && { leftApart: leftApart.length }),
      ...(left.length > leftApart.length && below && { below }),
      ...(isMisfit && { isMisfit: true }),
      rows: frame.rows,
      cols: frame.cols,
      altScreen: frame.altScreen,
      title: frame.title,
      cursorRow: frame.cursor.visible ? frame.cursor.row : null,
    });
    if (!isHeld) this.#isErased = false;
  }

  #takeOnceFit(): void {
    this.#fitTimer ??= this.#clock.after(this.#lag.overMs - this.#tookMs, () => {
      this.#fitTimer = undefined;
      this.#isChanged = true;
      this.settle();
    });
  }

  dispose(): void {
    this.#next?.timer.dispose();
    this.#fitTimer?.dispose();
    this.#model.leaving.collect(false, this);
    this.#owned.dispose();
    this.#release();
  }

  get #dueMs(): number {
    const { holdMs } = this.#model.frames;
    if (holdMs > 0) this.#wasHeld = true;
    if (holdMs > 0) return this.#clock.monotonicMs() + holdMs;
    const soonestMs = this.#tookMs + this.#atLeast(QUIET_MS);
    if (this.#wasHeld) return soonestMs;
    const sinceMs = Math.max(this.#tookMs, this.#sinceMs);
    const pauseMs = Math.max(sinceMs + AT_MOST_MS, this.#changedMs + PAUSE_MS);
    const drawnMs = Math.max(soonestMs, Math.min(this.#changedMs + QUIET_MS, pauseMs, sinceMs + AT_LAST_MS));
    if (this.#model.isAtBoundary && !this.#writes.isCutOff) return drawnMs;
    return Math.max(drawnMs, Math.min(this.#changedMs + REST_MS, sinceMs + REST_AT_LAST_MS));
  }

  #resized(size: { readonly cols: number; readonly rows: number }): void {
    const { active, alternate } = this.#model.terminal.buffer;
    const rows = active === alternate ? Array.from({ length: size.rows }, (_, row) => row + 1) : [];
    const laidOut = rows.filter((row) =>
      active
        .getLine(row - 1)
        ?.translateToString()
        .trim(),
    );
    this.#lag.resized(size, laidOut, this.#clock.monotonicMs());
  }

  /**
   * The rows above the line at which the running command began belong to the shell. Undefined on the alternate screen, which the program
   * leaves later for the normal screen with those rows.
   */
  #begin(): Beginning | undefined {
    const { core, terminal } = this.#model;
    const { normal, active } = terminal.buffer;
    if (active !== normal) return undefined;
    this.#hasBegun = true;
    const { beginLine } = this.#model.lines();
    if (beginLine === null) return { foreignRows: 0, above: null };
    const from = Math.min(beginLine, normal.baseY);
    const above = Array.from({ length: normal.baseY - from }, (_, row) => readFrameRow(core, normal, from + row));
    return { foreignRows: Math.max(0, beginLine - normal.baseY), above };
  }

  /** Handles ED 2 and ED 3, and ED 0 from the first cell. */
  #beforeErase(what: number): boolean {
    const { x, y } = this.#model.core.buffers.active;
    const isWhole = what === 2 || what === 3 || (what === 0 && x === 0 && y === 0);
    return isWhole ? this.#beforeLoss() : false;
  }

  #beforeMove(row: number, col: number): boolean {
    this.#lag.moved(row, col, this.#model.terminal, this.#clock.monotonicMs());
    return false;
  }

  /** Handles a switch of buffers, and the start of a synchronized update, during which the screen cannot be read. */
  #beforeSwitch(params: readonly (number | number[])[]): boolean {
    if (params.some((param) => param === 1049 || param === 1047 || param === 47)) this.#takeBefore();
    if (params.includes(2026)) this.#takeIfAfter(AT_MOST_MS);
    return false;
  }

  #beforeLoss(): boolean {
    this.#takeBefore();
    this.#isErased = true;
    this.#lag.erased();
    return false;
  }

  #takeBefore(): void {
    this.#takeIfAfter(BEFORE_ERASE_MS);
    this.#setApart();
  }

  #setApart(): void {
    this.#leftApart.push(...this.#model.leaving.take(this));
  }

  /** Rows that left since an erasure may be redrawn old text: the rows before do not show how it continues. */
  #setApartUnlessErased(): void {
    if (!this.#isErased) this.#setApart();
  }

  #takeIfAfter(ms: number): void {
    if (this.#clock.monotonicMs() < this.#tookMs + this.#atLeast(ms) || this.#model.frames.holdMs > 0) return;
    this.take();
    this.#isChanged = true; // the next output must still be read
  }

  /** Least time after the last read, given the wanted one. */
  #atLeast(ms: number): number {
    return this.#spentMs - this.#tookMs > CLOSE_LOOKS * AT_MOST_MS ? Math.max(ms, AT_MOST_MS) : ms;
  }
}

function isSame(a: TakenFrame | undefined, { frame: b }: TakenFrame): boolean {
  return a?.frame.seq === b.seq && a.frame.cursor.row === b.cursor.row && a.frame.cursor.visible === b.cursor.visible;
}
