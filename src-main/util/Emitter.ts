import { type IDisposable, toDisposable } from './Disposables.ts';
import { reportStray } from './strayErrors.ts';

export type Listener<T> = (value: T) => void;
export type Event<T> = (listener: Listener<T>) => IDisposable;

/**
 * Calls its listeners in the order they came. A listener that throws is reported to `onError`, and the others are called all the same;
 * listeners added while an event is being delivered hear the next one.
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

function reportListener(error: unknown): void {
  reportStray('listener', error);
}
