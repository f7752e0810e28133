import type { Extraction, ScreenStep } from '../../contract/chat/extractor.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { SWEEP_ROWS } from './FullRedraw.ts';

/** An agent that rests for this time has drawn everything it draws unasked (agents.md, fact 3). */
const REST_MS = 300;
/** Longest time from a prompt to the answer's beginning on a busy machine. A redraw in between would hide lines of the answer. */
const ASKED_REST_MS = 3000;

export interface SweepPlanDeps {
  readonly clock: Clock;
  /** Starts a redraw of `drawMs`; `whenCut` is called if something ends it earlier. */
  start(drawMs: number, whenCut: () => void): void;
  isRunning(): boolean;
  /** The agent has drawn for the tall size. */
  drawn(): void;
}

/** A reading of the agent's screen. */
export interface SweepLook {
  readonly step: Pick<ScreenStep, 'altScreen' | 'rows'>;
  readonly extraction: Extraction;
  /** See IExtractor; null: this agent gets no full redraws. */
  readonly sweepMs: number | null;
  /** The reading added something new. */
  readonly isNew: boolean;
}

/**
 * Decides when a full redraw shows the lines that an agent never drew: once after each turn in which the screen may have been too small, on
 * the alternate screen, while it rests with an empty input box and nothing covers the conversation.
 */
export class FullRedrawScheduler implements IDisposable {
  readonly #deps: SweepPlanDeps;
  #timer: IDisposable | null = null;
  /** A message came since the last full redraw, and the screen was too small for it. */
  #isWanted = false;

  constructor(deps: SweepPlanDeps) {
    this.#deps = deps;
  }

  seen(look: SweepLook): void {
    const { step, extraction, sweepMs, isNew } = look;
    const isRunning = this.#deps.isRunning();
    if (isRunning && isDrawnTall(step)) this.#deps.drawn();
    // lines that a redraw reveals need no other redraw, but lines that the agent writes during it do
    const isSaid = isNew && (!isRunning || extraction.state === 'working');
    if (isSaid && step.altScreen && mayHaveLost(step, extraction)) this.#isWanted = true;
    const isAtRest = extraction.state === 'idle' && extraction.draft === '' && !extraction.isCovered;
    this.#timer?.dispose();
    this.#timer = null;
    if (sweepMs === null || !step.altScreen || !isAtRest || (!this.#isWanted && !isRunning)) return;
    const isAsked = extraction.messages.at(-1)?.kind === 'user';
    this.#timer = this.#deps.clock.after(isAsked ? ASKED_REST_MS : REST_MS, () => this.#rested(look));
  }

  /** Nothing changed since `look`. The screen may have come to rest while a redraw ended, with lines that it did not show. */
  #rested(look: SweepLook): void {
    this.#timer = null;
    if (this.#deps.isRunning() || look.sweepMs === null) return this.seen({ ...look, isNew: false });
    if (!this.#isWanted) return;
    this.#isWanted = false;
    this.#deps.start(look.sweepMs, () => {
      this.#isWanted = true;
    });
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}

/** An agent draws its input box at the bottom. */
function isDrawnTall({ rows }: Pick<ScreenStep, 'rows'>): boolean {
  return rows.length >= SWEEP_ROWS && rows.slice(-FRAME_ROWS).some(({ text }) => text.trim() !== '');
}

/** Whether messages begin above the screen, or the first one has no beginning. */
function mayHaveLost({ rows }: Pick<ScreenStep, 'rows'>, { messages }: Extraction): boolean {
  const [first] = messages;
  const last = messages.at(-1);
  if (!first || !last) return false;
  return first.isHeadCut || last.toRow - first.fromRow >= rows.length - FRAME_ROWS;
}

/** Rows of a screen that an agent's frame takes: input box, footer, header. */
const FRAME_ROWS = 8;
