import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';

/** A PTY returns at most a page (4 KiB) at a time. A chunk of half a page is not a key's echo. */
const LARGE_BYTES = 2 * 1024;
/** Large chunks that follow each other faster than this are a flood. */
const FLOOD_MS = 1;

export interface CoalescingLimits {
  readonly maxBytes: number;
  /** Longest time for which a chunk waits for others. */
  readonly maxWaitMs: number;
  /** Each flush reuses one buffer, so the bytes given to `emit` are valid only during the call. */
  readonly isReused: boolean;
}

/** Limits in the core; the time is an eighth of a frame. */
const CORE_LIMITS: CoalescingLimits = { maxBytes: 64 * 1024, maxWaitMs: 2, isReused: false };

/**
 * Joins the chunks of a flood, because later stages cost more per chunk than per byte. A small or single chunk passes at once,
 * with all bytes that wait before it: order and bytes stay unchanged.
 */
export class ChunkCoalescer implements IDisposable {
  readonly #clock: Clock;
  readonly #emit: (bytes: Uint8Array) => void;
  readonly #limits: CoalescingLimits;
  #joined: Uint8Array | null = null;
  #length = 0;
  #timer: IDisposable | null = null;
  #largeAtMs = Number.NEGATIVE_INFINITY;

  /** `emit` owns its bytes, unless the limits say otherwise. */
  constructor(clock: Clock, emit: (bytes: Uint8Array) => void, limits: CoalescingLimits = CORE_LIMITS) {
    this.#clock = clock;
    this.#emit = emit;
    this.#limits = limits;
  }

  take(bytes: Uint8Array): void {
    const isLarge = bytes.length >= LARGE_BYTES;
    const nowMs = isLarge ? this.#clock.monotonicMs() : Number.NEGATIVE_INFINITY;
    const isFlood = isLarge && nowMs - this.#largeAtMs < FLOOD_MS;
    this.#largeAtMs = nowMs;
    const { maxBytes } = this.#limits;
    if (this.#length + bytes.length > maxBytes) this.flush();
    if (bytes.length > maxBytes || (!isFlood && this.#length === 0)) {
      this.#joined = null; // the flood is over
      return this.#emit(bytes);
    }
    this.#join(bytes);
    if (!isLarge) this.flush();
  }

  /** Emits the waiting bytes. */
  flush(): void {
    this.#timer?.dispose();
    this.#timer = null;
    const joined = this.#joined;
    if (!joined) return;
    const length = this.#length;
    if (length === 0) return;
    this.#length = 0;
    if (this.#limits.isReused) return this.#emit(joined.subarray(0, length));
    if (length <= this.#limits.maxBytes / 2) return this.#emit(joined.slice(0, length)); // reuses the buffer, which ten floods hardly fill
    this.#joined = null;
    this.#emit(joined.subarray(0, length));
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#joined = null;
    this.#length = 0;
  }

  #join(bytes: Uint8Array): void {
    this.#joined ??= new Uint8Array(this.#limits.maxBytes);
    this.#joined.set(bytes, this.#length);
    this.#length += bytes.length;
    this.#timer ??= this.#clock.after(this.#limits.maxWaitMs, () => this.flush());
  }
}
