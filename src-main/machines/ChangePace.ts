import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';

/** Many busy agents change their titles less often. */
export const MAX_ITEMS_PER_SECOND = 100;
const SECOND_MS = 1_000;

/** Limits how many changes of one machine reach the windows. Those beyond the limit are collected until the end of the second. The owner disposes it. */
export class ChangePace implements IDisposable {
  readonly #clock: Clock;
  readonly #onLate: (gone: ReadonlySet<string>) => void;
  #room = MAX_ITEMS_PER_SECOND;
  #late: Set<string> | null = null;
  #timer: IDisposable | null = null;

  /** `onLate` is called at the end of a second in which changes were collected, with the ids that were removed. */
  constructor(clock: Clock, onLate: (gone: ReadonlySet<string>) => void) {
    this.#clock = clock;
    this.#onLate = onLate;
  }

  /** Whether a change of so many items may be passed on now; otherwise it is collected. */
  lets(items: number, gone: readonly string[]): boolean {
    this.#timer ??= this.#clock.after(SECOND_MS, () => this.#next());
    const isOn = this.#room > 0 && this.#late === null;
    this.#room -= Math.max(1, items);
    if (!isOn) this.#late = new Set([...(this.#late ?? []), ...gone]);
    return isOn;
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #next(): void {
    const late = this.#late;
    this.#timer = null;
    this.#late = null;
    this.#room = MAX_ITEMS_PER_SECOND;
    if (late !== null) this.#onLate(late);
  }
}
