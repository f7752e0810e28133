import type { FrameRow } from '../../contract/screen/frame.ts';
import type { ScreenModel } from '../emulator/ScreenModel.ts';
import type { TakenFrame } from '../frames/FrameHistory.ts';
import type { RedactedRow, TellRows } from '../rows/RedactedRow.ts';
import type { TextLines } from './newText.ts';

type RowsAbove = (count: number) => readonly FrameRow[];

/** The rows around a judged frame, and their redaction: each is read once for all waits of that moment, and only if one asks. */
export class FrameSurroundings {
  readonly #model: ScreenModel;
  readonly #taken: TakenFrame;
  readonly #told = new Map<string, readonly RedactedRow[] | null>();
  #above: readonly FrameRow[] = [];
  /** Number of rows requested for `#above`; there may be fewer. */
  #read = 0;

  constructor(model: ScreenModel, taken: TakenFrame) {
    this.#model = model;
    this.#taken = taken;
  }

  /** At most `count` rows from right above the frame, oldest first. Empty on the alternate screen. */
  above(count: number): readonly FrameRow[] {
    if (this.#read < count) this.#above = this.#readAbove(count);
    this.#read = Math.max(this.#read, count);
    return this.#above.slice(Math.max(0, this.#above.length - count));
  }

  /** Redacts the lines that waits of a scope look at. `before`: rows that left before the first of them. */
  told(
    scope: 'new' | 'screen' | 'scrollback',
    lines: TextLines,
    { tell, before }: { tell: TellRows; before: RowsAbove },
  ): readonly RedactedRow[] | null {
    const known = this.#told.get(scope);
    if (known !== undefined) return known;
    const held = scope === 'scrollback' ? lines.above : 0;
    const rows = tell(lines.lines, {
      cols: this.#taken.frame.cols,
      left: scope === 'new' ? lines.above : 0,
      above: (count) => (this.#isCounted ? withoutLast(this.above(held + count), held) : []),
      before,
    });
    this.#told.set(scope, rows);
    return rows;
  }

  /** True if it is known how far the screen has moved since the frame, which a synchronized update may hold back. */
  get #isCounted(): boolean {
    return this.#model.leaving.uncounted === this.#taken.uncounted;
  }

  #readAbove(count: number): readonly FrameRow[] {
    const { frames, leaving } = this.#model;
    if (this.#taken.frame.altScreen) return [];
    const since = this.#isCounted ? leaving.scrolled - this.#taken.scrolled : 0;
    return withoutLast(frames.rowsAbove(count + since), since);
  }
}

export function withoutLast<T>(all: readonly T[], count: number): readonly T[] {
  return count === 0 ? all : all.slice(0, Math.max(0, all.length - count));
}
