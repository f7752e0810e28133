import type { ScreenModel } from '../emulator/ScreenModel.ts';
import type { BytesItem, WorkQueue } from './WorkQueue.ts';

/**
 * The last lines of a flood wait this long to be parsed, because more of it may push them out of the scrollback. Measured with coloured lines at
 * 28 MB/s: a piece of 1 MiB comes every 37 ms, and the thousand lines that are kept of each are a quarter of it.
 */
const HOLD_MS = 150;
/** More SGR sequences of skipped text are written at once. A full reset forgets all before it, so only odd output has so many. */
const MAX_LOOKS_BYTES = 16 * 1024;

/** The part of a ScreenModel that is used here. */
type Model = Pick<ScreenModel, 'skim' | 'writeSkimmed'>;

/** Leaves out what a flood pushes out of the scrollback anyway. Until `release`, the screen shows a moment before the skipped bytes. */
export class FloodSkimmer {
  readonly #queue: WorkQueue;
  readonly #model: Model;
  /** SGR sequences of the skipped bytes that the model has not received. */
  #looks: Uint8Array = new Uint8Array(0);
  /** Line feeds for them; 0 if nothing was skipped. */
  #lineFeeds = 0;
  #mayWait = false;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(queue: WorkQueue, model: Model) {
    this.#queue = queue;
    this.#model = model;
  }

  /** Time until which the first item may wait for more; in the past if it may not, because a reader, a mark or an answer follows. */
  get heldUntilMs(): number {
    return this.#mayWait && this.#queue.hasOne ? this.#restUntilMs : Number.NEGATIVE_INFINITY;
  }

  /**
   * Skips the beginning of the first item, which is joined with all bytes behind it. `isWatched`: a wait looks at each change. Returns the number of
   * skipped bytes.
   */
  skim(backlog: BytesItem, isWatched: boolean): number {
    const skimmed = this.#model.skim(backlog.bytes);
    const { from, isPlain } = skimmed ?? { from: 0, isPlain: false };
    this.#queue.replaceFirst({
      ...{ ...backlog, offset: backlog.offset + from },
      ...{ bytes: backlog.bytes.subarray(from), isSkimmed: true },
    });
    if (skimmed) {
      this.#looks = Buffer.concat([this.#looks, skimmed.looks]);
      this.#lineFeeds = skimmed.lineFeeds;
    }
    this.#mayWait = isPlain && !isWatched && this.#looks.length <= MAX_LOOKS_BYTES;
    return from;
  }

  /** Call this before bytes are parsed: writes what the skipped ones leave behind. */
  release(nowMs: number): void {
    this.#mayWait = false;
    if (this.#lineFeeds === 0) return;
    this.#model.writeSkimmed({ looks: this.#looks, lineFeeds: this.#lineFeeds });
    this.#looks = new Uint8Array(0);
    this.#lineFeeds = 0;
    this.#restUntilMs = nowMs + HOLD_MS;
  }
}
