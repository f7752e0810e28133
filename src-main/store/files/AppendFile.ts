import type { RecordGap } from '../../contract/notice.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { Emitter, type Event, type Listener } from '../../util/Emitter.ts';
import type { Log } from '../../util/Log.ts';
import { RingBuffer } from '../../util/RingBuffer.ts';
import { detach } from '../../util/strayErrors.ts';
import { DELETED, type DiskError } from './Disk.ts';
import { RecordFaults } from './RecordFaults.ts';
import { type RecordFault, RecordFile, type RecordFileOptions } from './RecordFile.ts';
import { RetryTimer } from './RetryTimer.ts';
import { SyncTimer } from './SyncTimer.ts';

/** Newest output to keep while the disk refuses it. */
const BACKLOG_BYTES = 1024 * 1024;
/** Least time between two checks that the file still has a name; a check costs a microsecond. */
const DELETED_CHECK_MS = 1_000;
/** Bytes to write again after a failed fdatasync; more would stall the terminal. */
const REWRITE_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

export interface AppendFileOptions extends RecordFileOptions {
  log: Log;
  clock: Clock;
  /** Is called from the very first attempt to open, which a later `onFault` would miss. */
  onFault?: Listener<RecordFault | null>;
  /** Stream offset at which the file starts if it cannot be opened at first; otherwise its size decides. */
  startOffset?: number;
  /** Another process may have written less than `startOffset`: the missing bytes become a hole and a gap. */
  mayBeShort?: boolean;
}

/**
 * A byte stream on disk: the byte at stream offset n is always at file offset n.
 *
 * `append` never throws. When it returns, the kernel has the bytes, so a kill of the process loses none of them. While the
 * disk refuses, the file keeps the newest 1 MiB and retries (100 ms to 5 s apart); older bytes are lost. Stream offsets
 * keep counting: when writing resumes, the lost range stays a hole of zero bytes that `onGap` reports, so every later
 * offset is exact. The first successful write after the fault also fires `onFault(null)`. Bytes are synced within 5 s of
 * their write (`SyncTimer`), and before the file is closed.
 *
 * One process owns the file (the data folder's lock), so positions are ours and O_APPEND is not needed.
 */
export class AppendFile implements IDisposable {
  readonly #file: RecordFile;
  readonly #path: string;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #faults: RecordFaults;
  readonly #gaps = new Emitter<RecordGap>();
  readonly #retry: RetryTimer;
  readonly onFault: Event<RecordFault | null>;
  readonly onGap: Event<RecordGap> = this.#gaps.on;

  /** Every accepted byte below this offset is on disk or was reported as a gap. */
  #end = 0;
  /** Every byte below this offset survives a power cut. */
  #synced = 0;
  readonly #syncTimer: SyncTimer;
  /** A sync failed, and its bytes could not be written again yet. */
  #mustRewrite = false;
  /** Counts how often the file was opened: a sync of an earlier file proves nothing about this one. */
  #opened = 0;
  /** Not null while the disk refuses. */
  #backlog: RingBuffer | null = null;
  #checkedAtMs: number;
  #closing: Promise<void> | null = null;
  #wasEverOpen = false;

  private constructor(path: string, options: AppendFileOptions) {
    this.#path = path;
    this.#log = options.log;
    this.#clock = options.clock;
    this.#file = new RecordFile(path, options);
    this.#retry = new RetryTimer(options.clock, () => this.#resume());
    this.#syncTimer = new SyncTimer(options.clock, () => this.sync());
    this.#checkedAtMs = options.clock.monotonicMs();
    this.#faults = new RecordFaults(options.onFault);
    this.onFault = this.#faults.onChange;
  }

  /** Opens or creates the file and continues at its end. A file that cannot be opened is a fault, not an error. */
  static open(path: string, options: AppendFileOptions): AppendFile {
    const file = new AppendFile(path, options);
    const { size, error } = file.#file.open();
    file.#end = file.#synced = size ?? options.startOffset ?? 0;
    file.#wasEverOpen = !error;
    if (error) file.#refuse(error, new Uint8Array(0));
    else if (options.mayBeShort && file.#end < (options.startOffset ?? 0)) file.#goOnAt(options.startOffset ?? 0);
    return file;
  }

  /** Offset of the next byte: bytes accepted since the start of the stream. */
  get size(): number {
    return this.#backlog ? this.#backlog.end : this.#end;
  }

  /** The newest bytes that the disk has refused so far, at most 1 MiB. */
  get refused(): Uint8Array {
    return this.#backlog?.read(this.#backlog.start, BACKLOG_BYTES) ?? new Uint8Array(0);
  }

  /** The current fault, or null. */
  get fault(): RecordFault | null {
    return this.#faults.current;
  }

  /** Writes before it returns; copies the bytes that the disk refuses. */
  append(bytes: Uint8Array): void {
    if (this.#closing) {
      this.#log('record_append_after_close', { path: this.#path, bytes: bytes.length });
      return;
    }
    if (this.#backlog) this.#backlog.append(bytes);
    else if (bytes.length > 0) this.#write(bytes);
  }

  /**
   * Runs fdatasync off the event loop; never rejects. After a failed sync the kernel may have dropped the bytes and marked them
   * clean, so they are written again and the next `sync` tries them: another sync alone would succeed without storing them.
   */
  async sync(): Promise<void> {
    if (!this.#closing && !this.#backlog) await this.#syncFile();
  }

  /** Writes what it can, reports the rest as a gap, and resolves when the descriptor is closed. */
  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  dispose(): void {
    detach('AppendFile', this.close());
  }

  async #shut(): Promise<void> {
    this.#retry.dispose();
    if (this.#backlog && !this.#resume()) this.#tellGap(this.#end, this.#backlog.end);
    this.#backlog = null;
    this.#syncTimer.dispose();
    if (!(await this.#syncFile())) await this.#syncFile(); // the first refusal made `#syncFile` write the bytes again
    this.#syncTimer.dispose();
    this.#faults.dispose();
    this.#gaps.dispose();
    await this.#file.close();
  }

  /** Writes `bytes` at the end; puts what the disk refuses into the backlog. */
  #write(bytes: Uint8Array): void {
    if (this.#isDeleted()) {
      this.#refuse(DELETED, bytes);
      return;
    }
    const { written, error } = this.#file.writeAt(bytes, this.#end);
    this.#end += written;
    this.#syncTimer.start();
    if (error) this.#refuse(error, bytes.subarray(written));
  }

  #isDeleted(): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#checkedAtMs < DELETED_CHECK_MS) return false;
    this.#checkedAtMs = nowMs;
    return this.#file.giveUpIfDeleted();
  }

  /** Continues at `offset`, as after a fault that lost all bytes before it. The next write attempt reports the gap, when there are listeners. */
  #goOnAt(offset: number): void {
    this.#backlog = new RingBuffer(BACKLOG_BYTES, offset);
    this.#faults.setWrite({ reason: 'its end was not written', fromOffset: this.#end });
    this.#retry.start();
  }

  #refuse(error: DiskError, rest: Uint8Array): void {
    this.#backlog = new RingBuffer(BACKLOG_BYTES, this.#end);
    this.#backlog.append(rest);
    this.#log('record_suspended', { path: this.#path, code: error.code, offset: this.#end });
    this.#faults.setWrite({ reason: error.reason, fromOffset: this.#end });
    this.#retry.start();
  }

  /** Tries to write the backlog. True when all of it is on disk. */
  #resume(): boolean {
    const backlog = this.#backlog;
    if (!backlog) return true;
    this.#file.giveUpIfDeleted();
    const openError = this.#reopen();
    if (openError) {
      this.#faults.setWrite({ reason: openError.reason, fromOffset: this.#end });
      return false;
    }
    if (!this.#writeBacklog(backlog)) return false;
    this.#backlog = null;
    this.#log('record_resumed', { path: this.#path, offset: this.#end });
    this.#faults.setWrite(null);
    return true;
  }

  #writeBacklog(backlog: RingBuffer): boolean {
    let at = Math.max(this.#end, backlog.start);
    if (at === backlog.end && at > this.#end) {
      // No byte of the gap is left to write, yet the file must reach the offset at which the stream continues.
      if (this.#file.truncate(at)) return false;
      this.#tellGap(this.#end, at);
    }
    while (at < backlog.end) {
      const piece = backlog.read(at, PIECE_BYTES);
      if (!piece) throw new Error(`backlog of ${this.#path} has no byte at ${at}`);
      const { written, error } = this.#file.writeAt(piece, at);
      if (written > 0) {
        this.#tellGap(this.#end, at);
        at += written;
        this.#end = at;
        this.#syncTimer.start();
      }
      if (error) {
        this.#faults.setWrite({ reason: error.reason, fromOffset: this.#end });
        return false;
      }
    }
    return true;
  }

  /** Opens the file and adjusts the offsets to its size. */
  #reopen(): DiskError | null {
    const { size, error } = this.#file.open();
    if (error) return error;
    if (!this.#wasEverOpen && size > this.#end) return TAKEN;
    this.#wasEverOpen = true;
    this.#opened += 1;
    this.#end = Math.min(this.#end, size); // a new file: the old one's bytes are lost, and reported as a gap
    this.#synced = Math.min(this.#synced, size);
    return null;
  }

  #tellGap(fromOffset: number, toOffset: number): void {
    if (toOffset <= fromOffset) return;
    this.#end = toOffset;
    const reason = this.#faults.write?.reason ?? 'unknown';
    this.#log('record_gap', { path: this.#path, fromOffset, toOffset });
    this.#gaps.fire({ type: 'gap', fromOffset, toOffset, reason, atMs: this.#clock.nowMs() });
  }

  /** False if the disk refused: the bytes that it may have lost are written again, and the next sync tries them. */
  async #syncFile(): Promise<boolean> {
    if (this.#end === this.#synced || !this.#file.isOpen) return true;
    if (this.#mustRewrite && !this.#rewrite()) return false;
    const upTo = this.#end;
    const opened = this.#opened;
    const error = await this.#file.sync();
    if (opened !== this.#opened) return true;
    if (error) {
      this.#log('record_sync_failed', { path: this.#path, code: error.code, from: this.#synced, upTo });
      this.#faults.setSync({ reason: `${error.reason} while syncing`, fromOffset: this.#synced });
      this.#rewrite();
      return false;
    }
    this.#synced = upTo;
    if (upTo === this.#end) this.#syncTimer.dispose();
    this.#faults.setSync(null);
    return true;
  }

  /** After a failed fdatasync the kernel may consider the pages clean; writing the newest of them again makes them dirty. */
  #rewrite(): boolean {
    this.#syncTimer.start();
    this.#mustRewrite = true;
    const piece = new Uint8Array(PIECE_BYTES);
    for (let at = Math.max(this.#synced, this.#end - REWRITE_BYTES); at < this.#end; ) {
      const read = this.#file.readAt(piece.subarray(0, Math.min(piece.length, this.#end - at)), at);
      if (read.error || read.written === 0) return false;
      if (this.#file.writeAt(piece.subarray(0, read.written), at).error) return false;
      at += read.written;
    }
    this.#mustRewrite = false;
    return true;
  }
}

/** The file could not be opened at first, so the older record in it was unknown; it must not be overwritten. */
const TAKEN: DiskError = { code: 'EEXIST', reason: 'an older record stands where this one should go (EEXIST)' };
