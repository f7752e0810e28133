import type { ScreenSnapshot } from '../../contract/screen/screenRecord.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';
import { replaceFile } from '../files/replaceFile.ts';

/** architecture.md: at most four a second. */
const SNAPSHOT_EVERY_MS = 250;
/** How long a person waits for a warning to disappear once there is room (security-reliability §5.2). */
const RETRY_MS = 5_000;

export interface SnapshotFileOptions {
  clock: Clock;
  /** Takes the current screen. A rejection (the screen is gone) leaves the file unchanged. */
  take: () => Promise<ScreenSnapshot>;
  /** `reason` is null when writing works again. */
  onFault: (reason: string | null) => void;
  replace?: typeof replaceFile;
}

/**
 * screen.snapshot.json of a running terminal. After a change it writes the current screen: at most four times a second, never
 * two writes at once, and never the same content again.
 */
export class ScreenSnapshotFile implements IDisposable {
  readonly #path: string;
  readonly #options: SnapshotFileOptions;
  readonly #replace: typeof replaceFile;
  #isDirty = false;
  #writing: Promise<void> | null = null;
  #timer: IDisposable | null = null;
  #lastMs = Number.NEGATIVE_INFINITY;
  #written = '';
  #isFaulty = false;
  #isClosed = false;

  constructor(path: string, options: SnapshotFileOptions) {
    this.#path = path;
    this.#options = options;
    this.#replace = options.replace ?? replaceFile;
  }

  /** Call this after a change. Costs nothing while a write is due or in progress. */
  touch(): void {
    this.#isDirty = true;
    this.#schedule(SNAPSHOT_EVERY_MS);
  }

  /** Writes even without a reported change. Resolves when the file matches the screen or could not be written. Never rejects. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
    if (!this.#isClosed) await this.#write();
  }

  /** Flushes for the last time. */
  async close(): Promise<void> {
    await this.flush();
    this.dispose();
  }

  dispose(): void {
    this.#isClosed = true;
    this.#timer?.dispose();
    this.#timer = null;
  }

  #schedule(afterLastMs: number): void {
    if (this.#timer || this.#writing || this.#isClosed) return;
    const { clock } = this.#options;
    const waitMs = Math.max(0, this.#lastMs + afterLastMs - clock.monotonicMs());
    this.#timer = clock.after(waitMs, () => {
      this.#timer = null;
      if (!this.#writing) detach('ScreenSnapshotFile', this.#write());
    });
  }

  #write(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = null;
    this.#isDirty = false;
    this.#lastMs = this.#options.clock.monotonicMs();
    this.#writing = this.#replaceIfChanged().then((isRefused) => {
      this.#writing = null;
      if (isRefused) this.#isDirty = true;
      if (this.#isDirty) this.#schedule(isRefused ? RETRY_MS : SNAPSHOT_EVERY_MS);
    });
    return this.#writing;
  }

  /** True when the disk refused. */
  async #replaceIfChanged(): Promise<boolean> {
    const snapshot = await this.#options.take().catch(() => null); // the screen was closed or its worker is being replaced
    if (!snapshot) return false;
    const content = JSON.stringify({ ...snapshot, ts: 0 });
    if (content === this.#written) return false;
    try {
      await this.#replace(this.#path, `${JSON.stringify(snapshot)}\n`, { fsync: false }); // no fsync: screen.jsonl has the same content
      this.#written = content;
      this.#tell(null);
      return false;
    } catch (thrown) {
      this.#tell(thrown instanceof Error ? thrown.message : String(thrown));
      return true;
    }
  }

  #tell(reason: string | null): void {
    if (reason === null && !this.#isFaulty) return;
    this.#isFaulty = reason !== null;
    this.#options.onFault(reason);
  }
}
