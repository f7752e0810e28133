/** On its way to a viewer and not acknowledged, at most. */
export const MAX_UNACKED_BYTES = 1024 * 1024;
/** Until the first acknowledgements say how fast the line is, and at least: what a line of 1 Mbit/s carries in half a second, and in an eighth. */
const START_BYTES = 64 * 1024;
const MIN_BYTES = 16 * 1024;
/** One item on the wire. */
const MAX_ITEM_BYTES = 64 * 1024;
/** Acknowledgements that come so much later than the quickest one say that bytes queue up on the way, where all other terminals wait behind them. */
const QUEUE_MS = 200;
/** A viewer that is further behind than so many windows gets the state instead, between these bounds. */
const WINDOWS_BEHIND = 16;
const MIN_BEHIND_BYTES = 256 * 1024;
const MAX_BEHIND_BYTES = 2 * MAX_UNACKED_BYTES;

/**
 * How much of one terminal may be on its way to one viewer. It grows with each acknowledgement that comes in time and is halved when one is late, so
 * that a slow line always has work, and the bytes of other terminals find no long queue before them. Offsets are the stream's, times in ms.
 */
export class SendWindow {
  #bytes = START_BYTES;
  #sent = 0;
  #acked = 0;
  /** When what ends there was sent; the oldest first. */
  #pieces: { end: number; atMs: number }[] = [];
  #quickestMs = Number.POSITIVE_INFINITY;
  /** Late acknowledgements of what was sent before it was halved say nothing new. */
  #halvedAt = 0;
  /** The state, which is larger than any window, has not been drawn. */
  #isStateUnderWay = false;

  /** The end of what was sent. */
  get sent(): number {
    return this.#sent;
  }

  get isFull(): boolean {
    return this.#sent - this.#acked > this.#bytes;
  }

  /** How much one item may have, so that several are on the way. */
  get itemBytes(): number {
    return Math.min(MAX_ITEM_BYTES, Math.floor(this.#bytes / 4));
  }

  /** What follows `start` is sent next. `isState`: all that was before it comes first. */
  begin(start: number, isState: boolean): void {
    this.#sent = start;
    this.#acked = start;
    this.#pieces = [];
    this.#isStateUnderWay = isState;
  }

  send(bytes: number, nowMs: number): void {
    this.#sent += bytes;
    this.#pieces.push({ end: this.#sent, atMs: nowMs });
  }

  ack(offset: number, nowMs: number): void {
    if (offset >= this.#acked) this.#isStateUnderWay = false;
    const to = Math.min(offset, this.#sent);
    if (to <= this.#acked) return;
    const passed = this.#pieces.findLastIndex(({ end }) => end <= to) + 1;
    const last = this.#pieces[passed - 1];
    this.#pieces = this.#pieces.slice(passed);
    if (last) this.#took(nowMs - last.atMs, to);
    this.#acked = to;
  }

  /** Whether the viewer would sooner show the end of `end` bytes by a state. `wait`: one is under way already. */
  behind(end: number): 'state' | 'wait' | null {
    const limit = Math.min(Math.max(this.#bytes * WINDOWS_BEHIND, MIN_BEHIND_BYTES), MAX_BEHIND_BYTES);
    if (end - this.#acked <= limit) return null;
    return this.#isStateUnderWay ? 'wait' : 'state';
  }

  #took(tookMs: number, to: number): void {
    this.#quickestMs = Math.min(this.#quickestMs, tookMs);
    if (tookMs <= this.#quickestMs + QUEUE_MS) {
      const acked = to - this.#acked;
      // Doubled with each round trip at first; once it was too large, each adds little.
      const more = this.#halvedAt === 0 ? acked : Math.ceil((acked * MIN_BYTES) / this.#bytes);
      this.#bytes = Math.min(this.#bytes + more, MAX_UNACKED_BYTES);
    } else if (to > this.#halvedAt) {
      // So little does not queue up: the line has become longer, or a hidden window answers once a second.
      if (this.#bytes === MIN_BYTES) this.#quickestMs = tookMs;
      this.#bytes = Math.max(Math.floor(this.#bytes / 2), MIN_BYTES);
      this.#halvedAt = this.#sent;
    }
  }
}
