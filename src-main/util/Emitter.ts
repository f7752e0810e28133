import { type IDisposable, toDisposable } from './Disposables.ts';
import { reportStray } from './strayErrors.ts';

export type Listener<T> = (value: T) => void;
export type Event<T> = (listener: Listener<T>) => IDisposable;

/**
 * Calls its listeners in the order in which they were added. Reports an error of a listener to `onError` and still calls the others;
 * listeners added during a delivery get the next event.
 */
export class Emitter<T> implements IDisposable {
  readonly #listeners = new Set<Listener<T>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = reportListener) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#listeners.size;
  }

  readonly on: Event<T> = (listener) => {
    const own: Listener<T> = (value) => listener(value); // a separate function object, because the same function may listen twice
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

function reportListener(error: unknown): void {
  reportStray('listener', error);
}
