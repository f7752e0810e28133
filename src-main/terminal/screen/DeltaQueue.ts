import { type FoldedScreen, foldDelta, keyframeFrom } from '../../contract/screen/foldDelta.ts';
import type { ScreenDelta } from '../../contract/screen/screen.ts';

/** Ten seconds of a screen that never rests. */
export const MAX_WAITING_DELTAS = 100;

/** Deltas that a reader has not taken yet. Too many of them become one keyframe with the same content. */
export class DeltaQueue {
  #waiting: ScreenDelta[] = [];
  /** After all that was pushed. */
  #screen: FoldedScreen | null = null;

  get length(): number {
    return this.#waiting.length;
  }

  push(delta: ScreenDelta): void {
    this.#screen = foldDelta(this.#screen, delta);
    if (delta.keyframe) this.#waiting = []; // what came before it is in it
    this.#waiting.push(delta);
    if (this.#waiting.length > MAX_WAITING_DELTAS && this.#screen) this.#waiting = [keyframeFrom(this.#screen)];
  }

  take(): ScreenDelta | undefined {
    return this.#waiting.shift();
  }
}
