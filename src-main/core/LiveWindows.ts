import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { Emitter } from '../util/Emitter.ts';

/** A reloaded window reconnects within a second; meanwhile its tabs must not appear in the others. */
const GRACE_MS = 3000;

/** The open windows: a window is open while it is subscribed, and for a short time after its last connection ends. */
export class LiveWindows {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #connections = new Map<string, number>();
  readonly #leaving = new Map<string, IDisposable>();
  readonly #changed = new Emitter<void>();
  readonly onChange = this.#changed.on;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** In the order in which they opened. */
  get ids(): string[] {
    return [...this.#connections.keys()];
  }

  has(id: string): boolean {
    return this.#connections.has(id);
  }

  /** Call the returned function when the connection of that window ends. */
  enter(id: string): () => void {
    this.#leaving.get(id)?.dispose();
    this.#leaving.delete(id);
    const isNew = !this.#connections.has(id);
    this.#connections.set(id, (this.#connections.get(id) ?? 0) + 1);
    if (isNew) this.#changed.fire();
    return () => this.#leave(id);
  }

  #leave(id: string): void {
    const left = (this.#connections.get(id) ?? 1) - 1;
    this.#connections.set(id, left);
    if (left > 0) return;
    this.#leaving.get(id)?.dispose();
    this.#leaving.set(
      id,
      this.#clock.after(GRACE_MS, () => {
        this.#leaving.delete(id);
        this.#connections.delete(id);
        this.#changed.fire();
      }),
    );
  }
}
