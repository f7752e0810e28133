import type { Frame } from '../../../src-main/contract/screen/frame.ts';
import type { ScreenDelta, ScreenSnapshot } from '../../../src-main/contract/screen/screenRecord.ts';
import { deltaOf, keyframeOf, snapshotOf } from '../../../src-main/screen/frames/frameDelta.ts';
import type { RecordedScreen } from '../../../src-main/terminal/screen/ScreenRecord.ts';
import { type IDisposable, toDisposable } from '../../../src-main/util/Disposables.ts';

/** A screen whose rows the test sets, and which sends its deltas at once. */
export class FakeScreen implements RecordedScreen {
  static readonly EPOCH = 'fake.1';
  frame: Frame;
  atMs = 1_000;
  keyframesAsked = 0;
  /** Behaves like a hanging worker: snapshots never resolve. */
  isHanging = false;
  #told: Frame | null = null;
  #listener: ((delta: ScreenDelta) => void) | null = null;

  constructor({ cols = 20, rowsCount = 5 } = {}) {
    this.frame = {
      rows: Array.from({ length: rowsCount }, () => rowOf('')),
      cursor: { row: 0, col: 0, visible: true },
      title: '',
      altScreen: false,
      cols,
      rowsCount,
      scrollbackTotal: 0,
      seq: 1,
      epoch: 1,
    };
  }

  /** Shows these rows and sends the delta. */
  show(rows: readonly string[], change: Partial<Frame> = {}): void {
    const { rowsCount } = this.frame;
    this.atMs += 100;
    this.frame = {
      ...this.frame,
      rows: Array.from({ length: rowsCount }, (_, row) => rowOf(rows[row] ?? '')),
      seq: this.frame.seq + 1,
      ...change,
    };
    this.#tell();
  }

  follow(listener: (delta: ScreenDelta) => void): IDisposable {
    this.#listener = listener;
    this.#tell();
    return toDisposable(() => {
      this.#listener = null;
    });
  }

  keyframe(): void {
    this.keyframesAsked += 1;
    this.#told = null;
    queueMicrotask(() => this.#tell()); // not within the call, because a worker cannot do that either
  }

  snapshot(): Promise<ScreenSnapshot> {
    if (this.isHanging) return new Promise(() => undefined);
    return Promise.resolve(snapshotOf(this.frame, [{ text: 'above' }], this.#stamp));
  }

  get #stamp(): { epoch: string; ts: number } {
    return { epoch: FakeScreen.EPOCH, ts: this.atMs };
  }

  #tell(): void {
    if (!this.#listener || this.#told === this.frame) return;
    const delta = this.#told ? deltaOf(this.#told, this.frame, this.#stamp) : keyframeOf(this.frame, this.#stamp);
    this.#told = this.frame;
    this.#listener(delta);
  }
}

function rowOf(text: string): Frame['rows'][number] {
  return { text, spans: text === '' ? [] : [{ text }], wrapped: false };
}
