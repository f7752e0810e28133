/** What is read of one machine in a second. A terminal here draws less, and the messages of the fastest machine are large. */
export const MAX_CHARS_PER_SECOND = 32 * 1024 * 1024;
export const MAX_MESSAGES_PER_SECOND = 1_000;
/** What may come at once after a pause: the first lists and cards of many terminals. */
const BURST_SECONDS = 3;
const SECOND_MS = 1_000;
/** A shorter pause would cost more than it spares. */
const MIN_PAUSE_MS = 5;

/**
 * Limits what is read of a machine. Reading stops for a while when it sends more than a window can show, so that its flood waits at its side of the
 * line. Times are monotonic.
 */
export class ReadPace {
  #chars = BURST_SECONDS * MAX_CHARS_PER_SECOND;
  #messages = BURST_SECONDS * MAX_MESSAGES_PER_SECOND;
  #lastMs: number;

  constructor(nowMs: number) {
    this.#lastMs = nowMs;
  }

  /** Counts a message. Returns for how long nothing more should be read: 0 to read on. */
  took(chars: number, nowMs: number): number {
    const seconds = (nowMs - this.#lastMs) / SECOND_MS;
    this.#lastMs = nowMs;
    this.#chars = refilled(this.#chars, seconds, MAX_CHARS_PER_SECOND) - chars;
    this.#messages = refilled(this.#messages, seconds, MAX_MESSAGES_PER_SECOND) - 1;
    const owed = Math.max(-this.#chars / MAX_CHARS_PER_SECOND, -this.#messages / MAX_MESSAGES_PER_SECOND, 0);
    return owed === 0 ? 0 : Math.max(MIN_PAUSE_MS, Math.ceil(owed * SECOND_MS));
  }
}

function refilled(left: number, seconds: number, perSecond: number): number {
  return Math.min(left + seconds * perSecond, BURST_SECONDS * perSecond);
}
