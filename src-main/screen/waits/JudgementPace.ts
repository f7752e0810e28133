/** Interval between judgements while output continues: one frame of a display. */
const LOOK_EVERY_MS = 16;
/** … but judging never takes more than a fifth of the worker's time, however expensive the patterns are. */
const REST_PER_LOOK = 4;

/** Limits how often the waits of a screen are judged. */
export class JudgementPace {
  #judgedMs = Number.NEGATIVE_INFINITY;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  get restUntilMs(): number {
    return this.#restUntilMs;
  }

  isResting(nowMs: number): boolean {
    return nowMs < this.#restUntilMs;
  }

  /** `isBehind`: whether output waits to be parsed. */
  isTime(nowMs: number, isBehind: () => boolean): boolean {
    return !this.isResting(nowMs) && (!isBehind() || nowMs - this.#judgedMs >= LOOK_EVERY_MS);
  }

  judged(beganMs: number, endedMs: number): void {
    this.#judgedMs = endedMs;
    this.#restUntilMs = endedMs + REST_PER_LOOK * (endedMs - beganMs);
  }
}
