import type { ScreenHandle } from '../../screen/worker/ScreenHandle.ts';
import type { Disk } from '../../store/files/Disk.ts';
import { ScreenFile } from '../../store/record/ScreenFile.ts';
import { ScreenSnapshotFile } from '../../store/record/ScreenSnapshotFile.ts';
import type { Clock } from '../../util/Clock.ts';
import { Disposables, type IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import type { TerminalRecord } from '../TerminalRecord.ts';

/** A screen that cannot say by then what it shows (its worker hangs) is not waited for: its deltas are on disk. */
const LAST_LOOK_MS = 2_000;

/** What of a screen is recorded. */
export type RecordedScreen = Pick<ScreenHandle, 'follow' | 'keyframe' | 'snapshot'>;

export interface ScreenRecordDeps {
  clock: Clock;
  log: Log;
  /** The system calls for screen.jsonl, where they are not the system's own. */
  disk?: Disk;
}

/** screen.jsonl and screen.snapshot.json of one terminal. A disk that refuses is the record's fault to tell; the terminal goes on. */
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

  /** Something ended, and what the screen shows now is worth having: a prompt has come, or the program has gone. */
  flush(): void {
    this.#snapshot.touch();
  }

  /** Writes the last state, both ways, and resolves when the files are closed. To be called before the screen is disposed. */
  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  dispose(): void {
    detach('ScreenRecord', this.close());
  }

  async #shut(): Promise<void> {
    // The screen tells all its deltas before it answers, so the look is the file's last flush too.
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
