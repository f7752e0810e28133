import type { ScreenHandle } from '../../screen/worker/ScreenHandle.ts';
import type { Disk } from '../../store/files/Disk.ts';
import { ScreenFile } from '../../store/record/ScreenFile.ts';
import { ScreenSnapshotFile } from '../../store/record/ScreenSnapshotFile.ts';
import type { Clock } from '../../util/Clock.ts';
import { Disposables, type IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import type { TerminalRecord } from '../TerminalRecord.ts';

/** Longest wait for a last snapshot of a screen whose worker may hang: its deltas are on disk. */
const LAST_LOOK_MS = 2_000;

/** The calls of a screen that recording needs. */
export type RecordedScreen = Pick<ScreenHandle, 'follow' | 'keyframe' | 'snapshot'>;

export interface ScreenRecordDeps {
  clock: Clock;
  log: Log;
  /** The system calls for screen.jsonl, if not the system's own. */
  disk?: Disk;
}

/** screen.jsonl and screen.snapshot.json of one terminal. The record reports a disk that refuses; the terminal continues. */
export class ScreenRecord implements IDisposable {
  readonly #file: ScreenFile;
  readonly #snapshot: ScreenSnapshotFile;
  readonly #clock: Clock;
  readonly #owned = new Disposables();
  #closing: Promise<void> | null = null;

  constructor(
    screen: RecordedScreen,
    record: Pick<TerminalRecord, 'folder' | 'reportFault'>,
    { clock, log, disk }: ScreenRecordDeps,
  ) {
    const { folder } = record;
    this.#clock = clock;
    this.#file = new ScreenFile(folder.screenJsonl, {
      clock,
      log,
      ...(disk && { disk }),
      makeFolder: () => folder.create(),
      onFault: (fault) => record.reportFault('screen.jsonl', fault?.reason ?? null),
      onKeyframeWanted: () => screen.keyframe(),
    });
    this.#snapshot = new ScreenSnapshotFile(folder.snapshot, {
      clock,
      take: () => screen.snapshot(),
      onFault: (reason) => record.reportFault('screen.snapshot.json', reason),
    });
    this.#owned.add(
      screen.follow((delta) => {
        this.#file.append(delta);
        this.#snapshot.touch();
      }),
    );
  }

  /** Call this when the current screen should be saved: after a prompt, or after the program has exited. */
  flush(): void {
    this.#snapshot.touch();
  }

  /** Writes the last state to both files, and resolves when they are closed. Call it before disposing the screen. */
  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  dispose(): void {
    detach('ScreenRecord', this.close());
  }

  async #shut(): Promise<void> {
    // The screen sends all its deltas before it answers, so the snapshot also flushes the file.
    await this.#within(LAST_LOOK_MS, this.#snapshot.close());
    this.#snapshot.dispose();
    this.#owned.dispose();
    await this.#file.close();
  }

  #within(ms: number, work: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const late = this.#clock.after(ms, resolve);
      detach(
        'ScreenRecord',
        work.finally(() => {
          late.dispose();
          resolve();
        }),
      );
    });
  }
}
