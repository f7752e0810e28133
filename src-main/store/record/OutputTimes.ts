import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';
import { AppendFile, type AppendFileOptions } from '../files/AppendFile.ts';

/** At most 50 lines a second: finer than the eye can see, and about 1.5 KB a second for a busy terminal. */
const EVERY_MS = 20;
/** Times that a crash may lose; the bytes themselves are written sooner. */
const HELD_MS = 250;
const HELD_CHARS = 4096;

export interface OutputTimesOptions extends Pick<AppendFileOptions, 'log' | 'onFault' | 'disk' | 'makeFolder'> {
  clock: Clock;
  /** Shortest time between two lines; 0 keeps every line, for a recording with its own times. */
  timesEveryMs?: number;
}

/**
 * Writes `output.times`: when the bytes of output.raw came, as lines `<offset> <ms since 1970>`. A line applies to the bytes
 * from its offset to the next line's, so bytes up to 20 ms later share a line. Offsets are starts of chunks and
 * only grow. Errors of the disk never throw and nothing waits for the disk; a lost piece of the file stays a hole of zero bytes.
 */
export class OutputTimes implements IDisposable {
  readonly #file: AppendFile;
  readonly #clock: Clock;
  readonly #everyMs: number;
  #lines = '';
  #toldMs = Number.NEGATIVE_INFINITY;
  #timer: IDisposable | null = null;

  private constructor(file: AppendFile, { clock, timesEveryMs = EVERY_MS }: OutputTimesOptions) {
    this.#file = file;
    this.#clock = clock;
    this.#everyMs = timesEveryMs;
  }

  static open(path: string, options: OutputTimesOptions): OutputTimes {
    const { timesEveryMs: _, ...fileOptions } = options;
    return new OutputTimes(AppendFile.open(path, fileOptions), options);
  }

  /** Notes that bytes from `offset` on came at `nowMs`. Runs for every chunk, so it must be cheap. */
  note(offset: number, nowMs: number): void {
    const passedMs = nowMs - this.#toldMs;
    if (passedMs >= 0 && passedMs < this.#everyMs) return;
    this.#toldMs = nowMs;
    this.#lines += `${offset} ${Math.round(nowMs)}\n`;
    if (this.#lines.length >= HELD_CHARS) return this.flush();
    this.#timer ??= this.#clock.after(HELD_MS, () => this.flush());
  }

  /** Hands everything to the disk before it returns. */
  flush(): void {
    this.#timer?.dispose();
    this.#timer = null;
    if (this.#lines === '') return;
    const lines = Buffer.from(this.#lines, 'latin1');
    this.#lines = '';
    this.#file.append(lines);
  }

  sync(): Promise<void> {
    this.flush();
    return this.#file.sync();
  }

  close(): Promise<void> {
    this.flush();
    return this.#file.close();
  }

  dispose(): void {
    detach('OutputTimes', this.close());
  }
}
