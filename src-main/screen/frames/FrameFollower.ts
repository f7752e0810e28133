import type { ScreenDelta } from '../../contract/screen/screen.ts';
import { isSameCursor } from './diffFrames.ts';
import type { TakenFrame } from './FrameHistory.ts';
import { deltaOf, keyframeOf } from './frameDelta.ts';

/** Ten deltas a second. */
const EVERY_MS = 100;
/** So many deltas after a keyframe there is another one, so that a reader never folds more. */
const KEYFRAME_EVERY = 500;

/** Says what changed from frame to frame, for the record: rate-limited, the last state never left out. */
export class FrameFollower {
  readonly #epochOf: (taken: TakenFrame) => string;
  #last: TakenFrame | undefined;
  #sinceKeyframe = 0;
  #dueMs = Number.NEGATIVE_INFINITY;

  constructor(epochOf: (taken: TakenFrame) => string) {
    this.#epochOf = epochOf;
  }

  /** From then on a delta may be sent: monotonic ms. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** The next delta will be a keyframe. */
  restart(): void {
    this.#last = undefined;
  }

  /** What leads from the frame told before to `taken`, or null when nothing of it would be recorded. The time of the next one counts from here. */
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

/** A record would not differ: whether the cursor shows, and how, is not in it. */
function isAlike({ frame: a }: TakenFrame, { frame: b }: TakenFrame): boolean {
  const now = { ...a.cursor, row: b.cursor.row, col: b.cursor.col };
  return a.seq === b.seq && a.scrollbackTotal === b.scrollbackTotal && isSameCursor(a.cursor, now);
}
