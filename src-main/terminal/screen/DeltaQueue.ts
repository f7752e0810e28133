import { type FoldedScreen, foldDelta, keyframeFrom } from '../../contract/screen/foldDelta.ts';
import type { ScreenDelta } from '../../contract/screen/screenRecord.ts';

/** Ten seconds of a screen that changes constantly. */
export const MAX_WAITING_DELTAS = 100;

/** Deltas that a reader has not taken yet. Too many become one keyframe with the same content. */
export class DeltaQueue {
  #waiting: ScreenDelta[] = [];
  /** The screen after all pushed deltas. */
  #screen: FoldedScreen | null = null;

  get length(): number {
    return this.#waiting.length;
  }

  push(delta: ScreenDelta): void {
    this.#screen = foldDelta(this.#screen, delta);
    if (delta.keyframe) this.#waiting = []; // the keyframe contains all earlier deltas
    this.#waiting.push(delta);
    if (this.#waiting.length > MAX_WAITING_DELTAS && this.#screen) this.#waiting = [keyframeFrom(this.#screen)];
  }

  take(): ScreenDelta | undefined {
    return this.#waiting.shift();
  }
}
