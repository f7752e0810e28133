import type { ChatSnapshot, IExtractor, ScreenStep } from '../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../contract/screen/frame.ts';
import {
  commonBottom,
  findDrawnAgain,
  findPlace,
  hasScrolled,
  isOnlyPlace,
  isTorn,
  type Place,
  placeOfTop,
  rowsBack,
  rowsDrawnBack,
} from './alignRows.ts';
import { foreignRowsAt, rowsText } from './foreignRows.ts';
import {
  goesOn,
  type Joint,
  type Moved,
  type Picture,
  seamsOf,
  snapshotOf,
  type Tape,
  withBlankedTop,
  withLeft,
} from './tape.ts';
import { WholeDrawing } from './WholeDrawing.ts';

/** Rows kept above the screen: several screens, so that a message is read whole although it scrolls. */
const MAX_ROWS = 600;
/** Programs redraw within this time after a resize, ms. */
const REDRAW_MS = 1000;
/** Unchanged rows with words that a screen must have at its top if it only scrolled. Rows below may have just been written. */
const SCROLLED_ROWS = 4;

export interface RowTapeOptions extends Pick<IExtractor, 'body' | 'mask'> {
  /** Rows kept above the screen. */
  readonly maxRows?: number;
}

/**
 * Assembles an agent's recent rows from its screens. Rows that scrolled off the normal screen are exact; on a repainted alternate screen
 * this class aligns the pictures. If it cannot connect two pictures, it drops the earlier rows, and the merge of messages finds the
 * place. The cost of a step is bounded by the screen and `maxRows`, however long the agent runs.
 *
 * Call `settle` after each `take`, so that a picture covered by a dialog does not become the past.
 */
export class RowTimeline {
  readonly #options: RowTapeOptions;
  readonly #maxRows: number;
  #tape: Tape | null = null;
  #moved: Moved | null = null;
  #foreignText: string | null = null;
  /** The previous step was not kept, so the rows that leave next do not continue the tape. */
  #isBroken = false;
  /** The program erased the screen after the last kept step. */
  #isErased = false;
  readonly #drawn = new WholeDrawing();
  #size = '';
  /** When the size last changed; null once rows that leave the screen cannot be an old drawing. */
  #resizedMs: number | null = null;

  constructor(options: RowTapeOptions = {}) {
    this.#options = options;
    this.#maxRows = options.maxRows ?? MAX_ROWS;
  }

  /** Returns the agent's rows after `step`: the past, then the screen. */
  take(step: ScreenStep): ChatSnapshot {
    const size = `${step.cols} ${step.rows.length}`;
    if (this.#size !== '' && this.#size !== size) this.#resizedMs = step.atMs;
    this.#size = size;
    this.#isErased ||= step.isErased;
    const picture = this.#pictureOf(this.#withoutApart({ ...step, isErased: this.#isErased }));
    this.#drawn.take(picture.left, step.isErased);
    this.#moved = this.#drawnWhole(picture) ?? this.#move(picture);
    return snapshotOf(this.#moved.tape, step);
  }

  /** Keeps the step taken last. If something covered the conversation in it, only an exact step is kept. */
  settle(isCovered: boolean): void {
    const moved = this.#moved;
    if (!moved) return;
    this.#moved = null;
    if (isCovered && !moved.isExact) {
      this.#isBroken = true;
      return;
    }
    this.#isBroken = false;
    this.#isErased = false;
    const { rows, foreign, seams, top } = moved.tape;
    this.#drawn.kept(rows.slice(foreign), seams[0] !== 0 && top < this.#maxRows);
    this.#tape = moved.tape;
  }

  /** Call when a step is not taken: the rows that leave next may belong to its picture. */
  skip(): void {
    this.#isBroken = true;
  }

  /**
   * Moves rows that the next row does not continue from the step to the tape if they continue the tape: a new picture follows them. On the
   * normal screen without an erasure they remain in the step: all rows that left are above it, and only redrawn ones must be recognized.
   */
  #withoutApart(step: ScreenStep): ScreenStep {
    const { leftApart = 0, ...rest } = step;
    if (leftApart === 0 || (!step.altScreen && !step.isErased)) return step;
    const old = this.#tape;
    if (old && !this.#isBroken && old.cols === step.cols && old.height === step.rows.length) {
      const { left } = this.#pictureOf({ ...rest, left: step.left.slice(0, leftApart) });
      const next = old.altScreen
        ? withLeft(old, left, old.screen.length)
        : { ...old, rows: [...old.rows.slice(0, old.top), ...left] };
      if (next) this.#tape = old.altScreen ? next : { ...next, top: next.rows.length, screen: [] };
    }
    return { ...rest, left: step.left.slice(leftApart) };
  }

  #pictureOf(step: ScreenStep): Picture {
    const { body, mask } = this.#options;
    const whole: ChatSnapshot = { ...step, screenTop: 0 };
    const range = body?.(whole) ?? { from: 0, to: step.rows.length };
    const own = (row: FrameRow) => (mask ? mask(row, whole) : row);
    return {
      step,
      left: step.left.map(own),
      apart: step.leftApart ?? 0,
      below: step.left.length > 0 && step.altScreen ? (step.below ?? []).map(own) : [],
      screen: step.rows.slice(range.from).map((row, at) => (at + range.from < range.to ? own(row) : row)),
      bodyEnd: range.to - range.from,
    };
  }

  /** The program erased the normal screen and redrew everything from its greeting on: returns that drawing, or null. */
  #drawnWhole({ step, screen }: Picture): Moved | null {
    if (step.altScreen || !step.isErased || !this.#tape) return null;
    const rows = this.#drawn.rowsWith(screen);
    if (rows === null) return null;
    const kept = rows.slice(-(screen.length + this.#maxRows));
    return { tape: this.#tapeOf(kept, { foreign: 0, seams: [] }, screen, step), isExact: false };
  }

  #move(picture: Picture): Moved {
    const { step, left, screen } = picture;
    const old = this.#tape;
    if (!old || old.cols !== step.cols || old.altScreen !== step.altScreen) {
      return { tape: this.#stretch(picture), isExact: false };
    }
    const isExact = !step.altScreen && !step.isErased && !this.#isBroken && old.height === step.rows.length;
    if (isExact)
      return {
        tape:
          this.#drawnBack(old, picture) ??
          this.#redrawn(old, picture) ??
          this.#joined(old, old.top, [...left, ...screen], { ...picture, isProved: goesOn(old, picture) }),
        isExact,
      };
    // After a picture of the alternate screen that was not kept, the rows that left may be its own: only the present picture counts.
    const seen = this.#isBroken && step.altScreen ? { ...picture, left: [], below: [] } : picture;
    return this.#placed(old, seen) ?? { tape: this.#stretch(picture), isExact: false };
  }

  /** A tall dialog pushes rows off the normal screen, and the program redraws them when it closes. Null if no rows were redrawn. */
  #drawnBack(old: Tape, picture: Picture): Tape | null {
    const { left, screen } = picture;
    for (const seam of seamsOf(old.screen, picture)) {
      const above = [...old.rows.slice(0, old.top), ...left.slice(0, seam)];
      const now = [...left.slice(seam), ...screen];
      const back = rowsDrawnBack(above.slice(-now.length), now);
      const at = above.length - back;
      const isProved = isOnlyPlace(above, now, at);
      if (back > 0) return this.#joined({ ...old, rows: above }, at, now, { ...picture, isProved });
    }
    return null;
  }

  /**
   * After a resize, a program on the normal screen redraws its output, and its old drawing goes into the scrollback. Returns the rows
   * without the old drawing; null if the screen repeats no rows from above it, or if it only scrolled: a list whose lines are alike looks
   * like a redraw.
   */
  #redrawn(old: Tape, picture: Picture): Tape | null {
    const { left, screen, step } = picture;
    if (left.length === 0 || this.#resizedMs === null) return null;
    if (step.atMs - this.#resizedMs > REDRAW_MS) this.#resizedMs = null; // rows that leave later are new
    if (hasScrolled(old.screen, [...left, ...screen], { left: left.length, rows: SCROLLED_ROWS })) return null;
    const above = [...old.rows.slice(0, old.top), ...left];
    const place = findDrawnAgain(above, screen);
    if (!place) return null;
    const isProved = isOnlyPlace(above, screen, place.at);
    return this.#joined({ ...old, rows: above }, place.at, screen, { ...picture, isProved });
  }

  /** Finds how far the picture moved, from the picture alone or from the rows below those that left. */
  #placed(before: Tape, picture: Picture): Moved | null {
    const { left, screen, step } = picture;
    const rowsAt = (tape: Tape, at: number) => (left.length === 0 ? withBlankedTop(tape, screen, at) : screen);
    const still = commonBottom(before.screen, screen);
    const old = left.length === 0 ? before : withLeft(before, left, before.screen.length - still);
    if (before.screen.length === still && left.length === 0) {
      const rows = rowsAt(before, before.top);
      return { tape: this.#joined(before, before.top, rows, { ...picture, isProved: true }), isExact: false };
    }
    if (left.length === 0 && isTorn(before.rows.slice(before.top), screen, still))
      return { tape: before, isExact: false };
    const at = old && this.#placeOf(old, picture, still);
    if (!old || !at) return null;
    const isProved = isOnlyPlace(old.rows.slice(0, old.rows.length - still), screen, at.at);
    const tape = this.#joined(old, at.at, rowsAt(old, at.at), { ...picture, isProved });
    const isLookingBack = at.isWhole && at.at < old.top && left.length === 0 && !step.isErased;
    if (!isLookingBack) return { tape, isExact: false };
    const rows = [...old.rows.slice(0, old.rows.length - still), ...screen.slice(screen.length - still)];
    return { tape: { ...old, rows }, isExact: false };
  }

  /** `still`: rows at the bottom of the screen that did not change. */
  #placeOf({ rows, top }: Tape, { left, below, screen, bodyEnd }: Picture, still: number): Place | null {
    const back = rowsBack(rows.slice(0, top), screen.slice(0, bodyEnd), below);
    if (back !== null) return { at: top - back, isWhole: true };
    const isStill = left.length > 0 && still === screen.length;
    if (isStill && below.length === 0) return { at: top, isWhole: true };
    const moving = screen.slice(0, Math.min(bodyEnd, isStill ? bodyEnd : screen.length - still));
    const place = findPlace(rows, moving, top);
    return place && placeOfTop(rows, moving, place);
  }

  /** Returns `old` up to row `at`, then `rows`, which end with the screen. */
  #joined(old: Tape, at: number, rows: readonly FrameRow[], { screen, step, isProved }: Joint): Tape {
    const all = [...old.rows.slice(0, Math.max(0, at)), ...rows];
    const excess = Math.max(0, all.length - screen.length - this.#maxRows);
    const foreign = Math.max(0, Math.min(old.foreign, all.length) - excess);
    const kept = old.seams.filter((seam) => seam <= at);
    const seams = isProved || at <= 0 || kept.at(-1) === at ? kept : [...kept, at];
    const own = seams.map((seam) => seam - excess).filter((seam) => seam >= 0);
    return this.#tapeOf(all.slice(excess), { foreign, seams: own }, screen, step);
  }

  /** Starts a new tape. Of the earlier rows it is only known which are the shell's. */
  #stretch(picture: Picture): Tape {
    const { screen, step } = picture;
    const all = [...this.#above(picture), ...screen].slice(-(screen.length + this.#maxRows));
    const at = this.#seamOf(picture, all.length);
    const seams = [...(this.#tape ? [0] : []), ...(at > 0 ? [at] : [])];
    if (step.altScreen) return this.#tapeOf(all, { foreign: 0, seams }, screen, step);
    if (this.#foreignText !== null)
      return this.#tapeOf(all, { foreign: foreignRowsAt(all, this.#foreignText), seams }, screen, step);
    const foreign = Math.min(all.length, step.foreignRows ?? 0);
    this.#foreignText = rowsText(all.slice(0, foreign));
    return this.#tapeOf(all, { foreign, seams }, screen, step);
  }

  /** The index among `rows` rows at which the program began to draw the screen again; 0 when it did not. */
  #seamOf({ apart, left, screen }: Picture, rows: number): number {
    return apart === 0 ? 0 : rows - screen.length - (left.length - apart);
  }

  /** The rows that left and are above the screen, without those that the screen shows again. */
  #above({ left, apart, below, screen, step, bodyEnd }: Picture): readonly FrameRow[] {
    if (step.altScreen) {
      const back = rowsBack(left, screen.slice(0, bodyEnd), below);
      return back === null ? [] : left.slice(0, left.length - back);
    }
    const place = this.#resizedMs === null ? null : findDrawnAgain(left, screen);
    if (place) return left.slice(0, Math.max(0, place.at));
    const back = rowsDrawnBack(left.slice(0, apart), [...left.slice(apart), ...screen]);
    return [...left.slice(0, apart - back), ...left.slice(apart)];
  }

  #tapeOf(
    rows: readonly FrameRow[],
    marks: Pick<Tape, 'foreign' | 'seams'>,
    screen: readonly FrameRow[],
    step: ScreenStep,
  ): Tape {
    const { cols, altScreen } = step;
    return { rows, top: rows.length - screen.length, ...marks, screen, height: step.rows.length, cols, altScreen };
  }
}
