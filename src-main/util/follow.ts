import type { Event } from './Emitter.ts';

/** Most values that wait for a slow reader; beyond it, the reader gets a new snapshot. */
const MAX_WAITING = 10_000;

/**
 * Snapshot, then follow: listens first, yields `snapshot()`, then every value. A reader more than MAX_WAITING
 * values behind gets a new snapshot in place of the waiting values, so that a stalled window cannot fill memory.
 * Ends when `signal` aborts, and after the last value when `closed` does: a reader keeps the followed objects alive.
 */
export async function* follow<T>(
  on: Event<T>,
  snapshot: () => Iterable<T>,
  signal?: AbortSignal,
  closed?: AbortSignal,
): AsyncGenerator<T> {
  const queue = new Waiting<T>();
  const listening = on((value) => queue.push(value));
  const wake = () => queue.wake();
  signal?.addEventListener('abort', wake);
  closed?.addEventListener('abort', wake);
  try {
    yield* snapshot();
    while (!signal?.aborted) {
      if (queue.takeOverflow()) yield* snapshot();
      for (let value = queue.shift(); value !== undefined && !signal?.aborted; value = queue.shift()) yield value.value;
      if (closed?.aborted) return;
      if (!signal?.aborted) await queue.changed();
    }
  } finally {
    listening.dispose();
    signal?.removeEventListener('abort', wake);
    closed?.removeEventListener('abort', wake);
  }
}

/** The values between the emitter and one reader. */
class Waiting<T> {
  #values: T[] = [];
  #hasOverflowed = false;
  #wake: (() => void) | null = null;

  push(value: T): void {
    if (this.#values.length >= MAX_WAITING) {
      this.#values = [];
      this.#hasOverflowed = true;
    }
    this.#values.push(value);
    this.wake();
  }

  takeOverflow(): boolean {
    const had = this.#hasOverflowed;
    this.#hasOverflowed = false;
    return had;
  }

  shift(): { value: T } | undefined {
    return this.#values.length > 0 ? { value: this.#values.shift() as T } : undefined;
  }

  wake(): void {
    this.#wake?.();
    this.#wake = null;
  }

  async changed(): Promise<void> {
    if (this.#values.length > 0) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
