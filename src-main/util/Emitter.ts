import { type IDisposable, toDisposable } from './Disposables.ts';

export type Listener<T> = (value: T) => void;
export type Event<T> = (listener: Listener<T>) => IDisposable;

/**
 * Calls its listeners in the order they came. A listener that throws is reported to `onError` and the others still hear;
 * listeners added while an event is being delivered hear the next one.
 */
export class Emitter<T> implements IDisposable {
  readonly #listeners = new Set<Listener<T>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = reportLater) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#listeners.size;
  }

  readonly on: Event<T> = (listener) => {
    const own: Listener<T> = (value) => listener(value); // its own identity: the same function may listen twice
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** A bug in a listener must not stop the record; it surfaces as an uncaught error on the next turn, where hosts log it. */
function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
