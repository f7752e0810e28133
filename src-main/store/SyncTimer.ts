import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { detach } from '../util/strayErrors.ts';

/** What a power cut may cost at most, of any stream of the record (security-reliability §5.2). */
export const SYNC_WITHIN_MS = 5_000;

/**
 * The durability rule: bytes that were handed to the disk are synced 5 s later at the latest. Each append stream owns one timer,
 * so a stream cannot be left out by whoever opens it. Runs only while something is unsynced.
 */
export class SyncTimer implements IDisposable {
  readonly #clock: Clock;
  readonly #sync: () => Promise<void>;
  #timer: IDisposable | null = null;

  /** `sync` must not reject. */
  constructor(clock: Clock, sync: () => Promise<void>) {
    this.#clock = clock;
    this.#sync = sync;
  }

  /** The file holds bytes that a power cut could take. */
  start(): void {
    this.#timer ??= this.#clock.after(SYNC_WITHIN_MS, () => {
      this.#timer = null;
      detach('SyncTimer', this.#sync());
    });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = null;
  }
}
