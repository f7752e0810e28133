import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { Emitter } from '../util/Emitter.ts';

/** A window that is loaded again is back within a second; until then its tabs must not flash up in the others. */
const GRACE_MS = 3000;

/** Which windows are open: each says so by following, and is closed a while after its last connection has ended. */
export class LiveWindows {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #connections = new Map<string, number>();
  readonly #leaving = new Map<string, IDisposable>();
  readonly #changed = new Emitter<void>();
  readonly onChange = this.#changed.on;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** In the order in which they came. */
  get ids(): string[] {
    return [...this.#connections.keys()];
  }

  has(id: string): boolean {
    return this.#connections.has(id);
  }

  /** Call it when the connection of that window ends. */
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
