import type { RecordGap } from '../contract/notice.ts';
import type { RecordedOutput } from '../pty/PtyProcess.ts';
import { AppendFile } from '../store/files/AppendFile.ts';
import type { Disk } from '../store/files/Disk.ts';
import { OutputTimes } from '../store/record/OutputTimes.ts';
import { type Gap, readGaps } from '../store/record/readGaps.ts';
import type { SessionFolder } from '../store/record/SessionFolder.ts';
import type { Clock } from '../util/Clock.ts';
import { Disposables } from '../util/Disposables.ts';
import type { Log } from '../util/Log.ts';
import { detach } from '../util/strayErrors.ts';

export interface RecordedBytesDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly disk?: Disk;
  readonly timesEveryMs?: number;
  makeFolder(): void;
  /** `reason` is null when `file` can be written again. */
  onFault(file: string, reason: string | null): void;
  onGap(gap: RecordGap): void;
}

/** output.raw and output.times of one terminal: written here, or followed while the owner of the PTY writes them. */
export class RecordedBytes {
  readonly #folder: SessionFolder;
  readonly #deps: RecordedBytesDeps;
  #own: { raw: AppendFile; times: OutputTimes } | null = null;
  /** Subscriptions to the process that writes. */
  #host = new Disposables();
  #hostFaults = new Set<string>();
  /** Size of output.raw while another process writes it. */
  #followed: number;
  #wasHosted = false;
  /** The last gap, which the next writer finds too. */
  #gap: RecordGap | null = null;
  /** Gaps since this record was opened. The disk may not have them yet. */
  readonly #gaps: Gap[] = [];
  #earlierGaps: Promise<readonly Gap[]> | null = null;

  constructor(folder: SessionFolder, size: number, deps: RecordedBytesDeps) {
    this.#folder = folder;
    this.#followed = size;
    this.#deps = deps;
  }

  /** Offset of the next byte in output.raw. */
  get size(): number {
    return this.#own?.raw.size ?? this.#followed;
  }

  /** True if bytes are not on disk. */
  get isRefused(): boolean {
    return this.#own ? this.#own.raw.fault !== null : this.#hostFaults.has('output.raw');
  }

  /** All gaps of output.raw. Reads the earlier ones from disk once. */
  async gaps(): Promise<readonly Gap[]> {
    this.#earlierGaps ??= readGaps(this.#folder).catch((error: unknown) => {
      this.#earlierGaps = null;
      throw error;
    });
    return [...(await this.#earlierGaps), ...this.#gaps];
  }

  append(bytes: Uint8Array): number {
    const offset = this.size;
    this.#own?.raw.append(bytes);
    this.#own?.times.note(offset, this.#deps.clock.nowMs());
    this.#followed = offset + bytes.length;
    return offset;
  }

  follow({ onFault, onGap }: RecordedOutput): void {
    this.#followed = this.size;
    this.#wasHosted = true;
    const own = this.#own;
    this.#own = null;
    if (own) detach('RecordedBytes', Promise.all([own.raw.close(), own.times.close()]));
    this.#host.dispose();
    this.#host = new Disposables();
    this.#host.add(
      onFault(({ file, reason }) => {
        if (reason === null) this.#hostFaults.delete(file);
        else this.#hostFaults.add(file);
        this.#deps.onFault(file, reason);
      }),
    );
    this.#host.add(onGap((gap) => this.#lost(gap)));
  }

  writeHere(): void {
    if (this.#own) return;
    this.#host.dispose();
    const { onFault, onGap: _, ...options } = this.#deps;
    for (const file of this.#hostFaults) onFault(file, null); // these faults were those of an owner that is gone
    this.#hostFaults.clear();
    const raw = AppendFile.open(this.#folder.raw, {
      ...options,
      startOffset: this.#followed,
      mayBeShort: this.#wasHosted,
      onFault: (fault) => onFault('output.raw', fault?.reason ?? null),
    });
    raw.onGap((gap) => this.#lost(gap));
    const times = OutputTimes.open(this.#folder.times, {
      ...options,
      onFault: (fault) => onFault('output.times', fault?.reason ?? null),
    });
    this.#own = { raw, times };
  }

  /** Writes the times of all bytes so far; the bytes themselves are already written. */
  flush(): void {
    this.#own?.times.flush();
  }

  async sync(): Promise<void> {
    await Promise.all([this.#own?.raw.sync(), this.#own?.times.sync()]);
  }

  async close(): Promise<void> {
    this.#host.dispose();
    await Promise.all([this.#own?.raw.close(), this.#own?.times.close()]);
  }

  #lost(gap: RecordGap): void {
    const before = this.#gap;
    if (this.#wasHosted && before && before.fromOffset <= gap.fromOffset && gap.toOffset <= before.toOffset) return;
    this.#gap = gap;
    this.#gaps.push(gap);
    this.#deps.onGap(gap);
  }
}
