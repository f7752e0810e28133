import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';

/** The most that a power cut may take from any file of the record. */
export const SYNC_WITHIN_MS = 5_000;

/**
 * The durability rule: written bytes are synced within 5 s. Each append stream owns one timer, so that no stream is
 * missed. It runs only while bytes are unsynced.
 * so no stream can be left out. It runs only while bytes are unsynced.
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

  /** Call this when the file has unsynced bytes. */
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
