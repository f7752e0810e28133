import type { PolicyLimits } from '../contract/mcp/policy.ts';

const MINUTE_MS = 60_000;

export type Rated = 'exec' | 'reads' | 'bytes';
export type RateAnswer = { ok: true } | { ok: false; retryAfterMs: number };

interface Bucket {
  left: number;
  atMs: number;
}

/**
 * Limits of one account per minute, as token buckets that start full and fill evenly. Times come from a monotonic clock with each call. The limits
 * may change between calls, as the policy file does.
 */
export class RateLimit {
  readonly #buckets = new Map<Rated, Bucket>();
  #waits = 0;

  /** Takes one exec or one read, or `count` of them. A refusal costs nothing. */
  take(kind: 'exec' | 'reads', limits: PolicyLimits, nowMs: number, count = 1): RateAnswer {
    const bucket = this.#filled(kind, limits, nowMs);
    if (bucket.left < count) return refusal(count - bucket.left, perMinute(kind, limits));
    bucket.left -= count;
    return { ok: true };
  }

  /** Whether a read is allowed at all. Its size is known only afterwards: see `spend`. */
  mayRead(limits: PolicyLimits, nowMs: number): RateAnswer {
    const { left } = this.#filled('bytes', limits, nowMs);
    return left > 0 ? { ok: true } : refusal(1 - left, limits.bytes_per_min);
  }

  /** Counts bytes that were sent. One answer may exceed the limit; the next one then has to wait. */
  spend(bytes: number, limits: PolicyLimits, nowMs: number): void {
    this.#filled('bytes', limits, nowMs).left -= bytes;
  }

  /** The remaining share of the most used bucket: 1 is full; below 0 calls have to wait. */
  left(limits: PolicyLimits, nowMs: number): number {
    const shares = [...this.#buckets.keys()].map((kind) => {
      const full = perMinute(kind, limits);
      return full === 0 ? 1 : this.#filled(kind, limits, nowMs).left / full;
    });
    return Math.min(1, ...shares);
  }

  /** Begins a wait and returns the function that ends it, which may be called repeatedly; null at the limit of open waits. */
  beginWait(limits: PolicyLimits): (() => void) | null {
    if (this.#waits >= limits.waits_concurrent) return null;
    this.#waits += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#waits -= 1;
      isOver = true;
    };
  }

  #filled(kind: Rated, limits: PolicyLimits, nowMs: number): Bucket {
    const full = perMinute(kind, limits);
    const before = this.#buckets.get(kind) ?? { left: full, atMs: nowMs };
    const gained = (full * Math.max(0, nowMs - before.atMs)) / MINUTE_MS;
    const bucket = { left: Math.min(full, before.left + gained), atMs: Math.max(nowMs, before.atMs) };
    this.#buckets.set(kind, bucket);
    return bucket;
  }
}

function perMinute(kind: Rated, limits: PolicyLimits): number {
  return kind === 'bytes' ? limits.bytes_per_min : kind === 'exec' ? limits.exec_per_min : limits.reads_per_min;
}

/** With a limit of 0 the bucket never fills; a minute is an arbitrary answer. */
function refusal(missing: number, full: number): RateAnswer {
  return { ok: false, retryAfterMs: full === 0 ? MINUTE_MS : Math.ceil((missing * MINUTE_MS) / full) };
}
