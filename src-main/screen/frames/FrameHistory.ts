import type { Frame, FrameRow } from '../../contract/screen/frame.ts';
import type { ScreenDiff, ScreenQuery, SeqMismatch, WholeFrameReason } from '../../contract/screen/screen.ts';
import { diffFrames, isLargeDiff } from './diffFrames.ts';

/** A frame with the time at which it was taken. */
export interface TakenFrame {
  readonly frame: Frame;
  /** ms since 1970. */
  readonly atMs: number;
  /** Rows that ever scrolled off the top of the normal screen; shows how far two frames are apart … */
  readonly scrolled: number;
  /** … if this is equal for both; see ScrolledOffRows. */
  readonly uncounted: number;
}

/** A frame that a reader received, with the numbers of ended commands and of prompts until then. */
export interface ToldFrame extends TakenFrame {
  readonly ends: number;
  readonly prompts: number;
}

/** The answer to a reader: the whole frame, or the difference. */
export type FrameAnswer =
  | { readonly full: true; readonly reason: WholeFrameReason; readonly frame: Frame }
  | { readonly full: false; readonly diff: ScreenDiff };

const MAX_FRAMES = 200;
const MAX_BYTES = 8 * 1024 * 1024;
/** Approximate sizes in V8 of a frame without its rows, of a row and of a span. */
const FRAME_BYTES = 600;
const ROW_BYTES = 160;
const SPAN_BYTES = 120;

/**
 * The frames that readers received, so that a reader that names one gets the difference. At most 200, and 8 MiB (estimated;
 * a row shared by frames counts once). Always keeps the newest.
 */
export class FrameHistory {
  readonly #frames: ToldFrame[] = [];
  /** Number of frames that contain a row. */
  readonly #uses = new Map<FrameRow, number>();
  #bytes = 0;
  /** `seq` of the newest frame that was dropped for lack of room; -1 if none was. */
  #droppedSeq = -1;

  get size(): number {
    return this.#frames.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Replaces a kept frame of the same `seq`: only the cursor's column can differ. */
  push(taken: ToldFrame): void {
    const last = this.#frames.at(-1);
    if (last?.frame.seq === taken.frame.seq) this.#forget(this.#frames.pop());
    this.#frames.push(taken);
    this.#bytes += FRAME_BYTES;
    for (const row of taken.frame.rows) {
      const uses = this.#uses.get(row) ?? 0;
      this.#uses.set(row, uses + 1);
      if (uses === 0) this.#bytes += rowBytes(row);
    }
    while (this.#frames.length > 1 && (this.#frames.length > MAX_FRAMES || this.#bytes > MAX_BYTES)) {
      const dropped = this.#frames.shift();
      this.#droppedSeq = dropped?.frame.seq ?? this.#droppedSeq;
      this.#forget(dropped);
    }
  }

  find(seq: number): ToldFrame | undefined {
    return this.#frames.find(({ frame }) => frame.seq === seq);
  }

  /** The answer to a reader that has frame `since` of `epoch`, about `latest`, whose epoch is named `epochNow`. */
  answer(
    { since, epoch }: Pick<ScreenQuery, 'since' | 'epoch'>,
    latest: Frame,
    epochNow: string,
  ): FrameAnswer | SeqMismatch {
    const whole = (reason: WholeFrameReason): FrameAnswer => ({ full: true, reason, frame: latest });
    if (since === undefined) return whole('first');
    if (epoch !== undefined && epoch !== epochNow) return whole('epoch-changed');
    if (since > latest.seq) return { error: 'seq-mismatch', seq: latest.seq };
    const known = this.find(since)?.frame;
    if (!known) return whole(since <= this.#droppedSeq ? 'history-truncated' : 'unknown-frame');
    if (known.epoch !== latest.epoch) return whole('epoch-changed');
    const diff = diffFrames(known, latest);
    return isLargeDiff(diff, latest.rowsCount) ? whole('large-diff') : { full: false, diff };
  }

  #forget(taken: ToldFrame | undefined): void {
    if (!taken) return;
    this.#bytes -= FRAME_BYTES;
    for (const row of taken.frame.rows) {
      const uses = (this.#uses.get(row) ?? 1) - 1;
      if (uses > 0) {
        this.#uses.set(row, uses);
        continue;
      }
      this.#uses.delete(row);
      this.#bytes -= rowBytes(row);
    }
  }
}

/** The text is stored twice, in the row and in its spans, with at most two bytes per character. */
function rowBytes({ text, spans }: FrameRow): number {
  return ROW_BYTES + text.length * 4 + spans.length * SPAN_BYTES;
}
