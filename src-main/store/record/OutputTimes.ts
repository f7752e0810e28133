import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';
import { AppendFile, type AppendFileOptions } from '../files/AppendFile.ts';

/** At most fifty lines a second: finer than an eye sees, and a busy terminal costs some 1.5 KB a second. */
const EVERY_MS = 20;
/** What a crash may cost of the times; the bytes themselves are written sooner. */
const HELD_MS = 250;
const HELD_CHARS = 4096;

export interface OutputTimesOptions extends Pick<AppendFileOptions, 'log' | 'onFault' | 'disk' | 'makeFolder'> {
  clock: Clock;
  /** The shortest time between two lines; 0 keeps every one, for a recording that brings its own times. */
  timesEveryMs?: number;
}

/**
 * Writer of `output.times`: when the bytes of output.raw came, as lines `<offset> <ms since 1970>`. A line holds for the bytes
 * from its offset to the next line's; those of the first 20 ms after a line belong to it. Offsets are starts of chunks and
 * only grow. Nothing here throws for the disk's sake or waits for it; a lost piece of the file stays a hole of zero bytes.
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

  /** Bytes from `offset` on came at `nowMs`. Called for every chunk, so it must cost next to nothing. */
  note(offset: number, nowMs: number): void {
    const passedMs = nowMs - this.#toldMs;
    if (passedMs >= 0 && passedMs < this.#everyMs) return;
    this.#toldMs = nowMs;
    this.#lines += `${offset} ${Math.round(nowMs)}\n`;
    if (this.#lines.length >= HELD_CHARS) return this.flush();
    this.#timer ??= this.#clock.after(HELD_MS, () => this.flush());
  }

  /** Hands everything to the disk, in this call. */
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
