/** Most unacknowledged bytes per viewer. */
export const MAX_UNACKED_BYTES = 1024 * 1024;
/** Initial window, before acknowledgements show the connection's speed, and smallest one: what 1 Mbit/s carries in 1/2 s and in 1/8 s. */
const START_BYTES = 64 * 1024;
const MIN_BYTES = 16 * 1024;
/** Most bytes of one item. */
const MAX_ITEM_BYTES = 64 * 1024;
/** An acknowledgement this much later than the fastest one shows that bytes queue up on the way, where they delay all other terminals. */
const QUEUE_MS = 200;
/** A viewer that is this many windows behind gets the state instead, between these bounds. */
const WINDOWS_BEHIND = 16;
const MIN_BEHIND_BYTES = 256 * 1024;
const MAX_BEHIND_BYTES = 2 * MAX_UNACKED_BYTES;

/**
 * Limits the bytes of one terminal on their way to one viewer. Grows with each timely acknowledgement and halves after a late one, so
 * that a slow connection is never idle, and other terminals' bytes meet no long queue. Offsets are the stream's, times in ms.
 */
export class SendWindow {
  #bytes = START_BYTES;
  #sent = 0;
  #acked = 0;
  /** Time at which each piece was sent, with its end; oldest first. */
  #pieces: { end: number; atMs: number }[] = [];
  #quickestMs = Number.POSITIVE_INFINITY;
  /** Offset sent when the window was halved: late acknowledgements of earlier bytes do not halve it again. */
  #halvedAt = 0;
  /** The state, which is larger than any window, is not acknowledged yet. */
  #isStateUnderWay = false;

  /** Offset after the last sent byte. */
  get sent(): number {
    return this.#sent;
  }

  get isFull(): boolean {
    return this.#sent - this.#acked > this.#bytes;
  }

  /** Most bytes of the next item, so that several are on the way. */
  get itemBytes(): number {
    return Math.min(MAX_ITEM_BYTES, Math.floor(this.#bytes / 4));
  }

  /** Restarts at `start`, the offset of the next byte. `isState`: the state up to `start` is sent first. */
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

  /** Whether a state would bring the viewer to offset `end` sooner. `wait`: one is already on its way. */
  behind(end: number): 'state' | 'wait' | null {
    const limit = Math.min(Math.max(this.#bytes * WINDOWS_BEHIND, MIN_BEHIND_BYTES), MAX_BEHIND_BYTES);
    if (end - this.#acked <= limit) return null;
    return this.#isStateUnderWay ? 'wait' : 'state';
  }

  #took(tookMs: number, to: number): void {
    this.#quickestMs = Math.min(this.#quickestMs, tookMs);
    if (tookMs <= this.#quickestMs + QUEUE_MS) {
      const acked = to - this.#acked;
      // Doubles with each round trip at first; after it was once too large, grows slowly.
      const more = this.#halvedAt === 0 ? acked : Math.ceil((acked * MIN_BYTES) / this.#bytes);
      this.#bytes = Math.min(this.#bytes + more, MAX_UNACKED_BYTES);
    } else if (to > this.#halvedAt) {
      // So few bytes do not queue up: the connection has become slower, or a hidden window answers once a second.
      if (this.#bytes === MIN_BYTES) this.#quickestMs = tookMs;
      this.#bytes = Math.max(Math.floor(this.#bytes / 2), MIN_BYTES);
      this.#halvedAt = this.#sent;
    }
  }
}
