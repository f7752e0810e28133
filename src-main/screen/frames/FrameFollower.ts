import type { ScreenDelta } from '../../contract/screen/screenRecord.ts';
import { isSameCursor } from './diffFrames.ts';
import type { TakenFrame } from './FrameHistory.ts';
import { deltaOf, keyframeOf } from './frameDelta.ts';

/** Ten deltas a second. */
const EVERY_MS = 100;
/** Deltas between two keyframes at most, so that a reader never folds more. */
const KEYFRAME_EVERY = 500;

/** Produces the changes from frame to frame for the record: rate-limited, but never without the last state. */
export class FrameFollower {
  readonly #epochOf: (taken: TakenFrame) => string;
  #last: TakenFrame | undefined;
  #sinceKeyframe = 0;
  #dueMs = Number.NEGATIVE_INFINITY;

  constructor(epochOf: (taken: TakenFrame) => string) {
    this.#epochOf = epochOf;
  }

  /** Monotonic ms from which a delta may be sent. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** Makes the next delta a keyframe. */
  restart(): void {
    this.#last = undefined;
  }

  /** The delta from the last frame to `taken`, or null if it would record nothing. The time until the next one counts from here. */
  tell(taken: TakenFrame, nowMs: number): ScreenDelta | null {
    if (this.#last && isAlike(this.#last, taken)) return null;
    const stamp = { epoch: this.#epochOf(taken), ts: taken.atMs };
    const last = this.#last?.frame;
    const isWhole =
      !last ||
      last.epoch !== taken.frame.epoch ||
      last.altScreen !== taken.frame.altScreen ||
      last.cols !== taken.frame.cols ||
      last.rowsCount !== taken.frame.rowsCount ||
      this.#sinceKeyframe >= KEYFRAME_EVERY;
    this.#sinceKeyframe = isWhole ? 0 : this.#sinceKeyframe + 1;
    this.#last = taken;
    this.#dueMs = Math.max(this.#dueMs, nowMs) + EVERY_MS;
    return isWhole ? keyframeOf(taken.frame, stamp) : deltaOf(last, taken.frame, stamp);
  }
}

/** True if both frames make the same record, which has no visibility or style of the cursor. */
function isAlike({ frame: a }: TakenFrame, { frame: b }: TakenFrame): boolean {
  const now = { ...a.cursor, row: b.cursor.row, col: b.cursor.col };
  return a.seq === b.seq && a.scrollbackTotal === b.scrollbackTotal && isSameCursor(a.cursor, now);
}
