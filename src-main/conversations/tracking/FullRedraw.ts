import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/** Rows for all that an agent draws of a turn; Claude Code and others draw all of it (recorded, see the specification of agents). */
export const SWEEP_ROWS = 400;
/** Extra time for an agent on a busy machine, which draws late. */
const LATE_MS = 4000;
/** Time after the first sign of a late drawing, which comes in pieces. */
const DRAWING_MS = 200;
/** A program that draws nothing for this time after it was made small again has finished. */
const DRAWN_MS = 80;
/** Longest time that viewers wait for it. */
const DRAWN_AT_LAST_MS = 800;

interface Size {
  cols: number;
  rows: number;
}

/** The terminal, as a full redraw needs it. */
export interface SweptTerminal {
  readonly clock: Clock;
  /** The viewers' stream: it pauses from `freeze` to `thaw`. */
  readonly live: { freeze(): void; thaw(): void };
  /** The size that everyone else knows. */
  size(): Size;
  /** Resizes only for the program, the screen and the record. */
  resizeUnseen(size: Size): void;
  /** Calls `listener` at each piece of output until it is disposed. */
  onFed(listener: () => void): IDisposable;
}

/**
 * Makes the terminal so tall for a moment that its agent draws all of its last turn. Viewers do not see it: their stream pauses and then
 * continues with the state after it. A key that comes meanwhile ends it at once.
 */
export class FullRedraw implements IDisposable {
  readonly #of: SweptTerminal;
  #timer: IDisposable | null = null;
  #listening: IDisposable | null = null;
  #isTall = false;
  /** The agent was seen to draw for the tall size. */
  #isDrawn = false;
  /** The time that the agent needs to draw has passed. */
  #isLate = false;
  #limitMs = 0;
  #whenCut: () => void = () => undefined;

  constructor(of: SweptTerminal) {
    this.#of = of;
  }

  get isRunning(): boolean {
    return this.#timer !== null;
  }

  /**
   * Starts a redraw of `drawMs`, or up to `LATE_MS` longer until `drawn` is called. `whenCut` is called if something ends it earlier. Does
   * nothing while a redraw runs, or on a screen that is already as tall.
   */
  start(drawMs: number, whenCut: () => void): void {
    const { cols, rows } = this.#of.size();
    if (this.isRunning || rows >= SWEEP_ROWS) return;
    this.#whenCut = whenCut;
    this.#of.live.freeze();
    this.#isTall = true;
    this.#isDrawn = false;
    this.#isLate = false;
    this.#of.resizeUnseen({ cols, rows: SWEEP_ROWS });
    this.#timer = this.#of.clock.after(drawMs, () => this.#whenDue());
  }

  /** Call when the screen shows that the agent has drawn for the tall size. */
  drawn(): void {
    if (!this.#isTall || this.#isDrawn) return;
    this.#isDrawn = true;
    if (this.#isLate) this.#shrinkAfter(DRAWING_MS);
  }

  /** Somebody uses the terminal. */
  cut(): void {
    if (!this.#isTall) return;
    this.#whenCut();
    this.#shrink();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#listening?.dispose();
    this.#timer = null;
    if (this.#isTall) this.#of.resizeUnseen(this.#of.size());
    this.#isTall = false;
    this.#of.live.thaw();
  }

  #whenDue(): void {
    this.#isLate = true;
    if (this.#isDrawn) this.#shrink();
    else this.#shrinkAfter(LATE_MS);
  }

  #shrinkAfter(ms: number): void {
    this.#timer?.dispose();
    this.#timer = this.#of.clock.after(ms, () => this.#shrink());
  }

  #shrink(): void {
    const { clock } = this.#of;
    this.#timer?.dispose();
    this.#isTall = false;
    this.#of.resizeUnseen(this.#of.size());
    this.#limitMs = clock.monotonicMs() + DRAWN_AT_LAST_MS;
    this.#listening = this.#of.onFed(() => this.#waitUntilDrawn());
    this.#waitUntilDrawn();
  }

  #waitUntilDrawn(): void {
    this.#timer?.dispose();
    const { clock } = this.#of;
    const leftMs = Math.min(DRAWN_MS, this.#limitMs - clock.monotonicMs());
    this.#timer = clock.after(Math.max(0, leftMs), () => this.#end());
  }

  #end(): void {
    this.#timer = null;
    this.#listening?.dispose();
    this.#listening = null;
    this.#of.live.thaw();
  }
}
