import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Event, Listener } from '../../util/Emitter.ts';
import type { Log } from '../../util/Log.ts';
import { RingBuffer } from '../../util/RingBuffer.ts';
import { detach } from '../../util/strayErrors.ts';
import type { DiskError } from './Disk.ts';
import { RecordFaults } from './RecordFaults.ts';
import { type RecordFault, RecordFile, type RecordFileOptions } from './RecordFile.ts';
import { RetryTimer } from './RetryTimer.ts';
import { readJsonLines } from './readJsonLines.ts';
import { SyncTimer } from './SyncTimer.ts';

/** Records that wait while the disk refuses: about 8,000 blocks. The oldest are dropped first, because the latest record of a key counts. */
const QUEUE_BYTES = 4 * 1024 * 1024;
/** Bytes kept to write them again if their fdatasync fails. */
const UNSYNCED_BYTES = 1024 * 1024;
const SYNC_EVERY_MS = 1_000;
const DELETED_CHECK_MS = 1_000;
const LF = 0x0a;

export interface JsonLinesOptions extends RecordFileOptions {
  log: Log;
  clock: Clock;
  onFault?: Listener<RecordFault | null>;
  /** Called with a record, LF included, once it is in the file, before the next write; must not throw. */
  onWritten?: (bytes: Uint8Array) => void;
}

interface Waiting {
  bytes: Uint8Array;
  done: (isWritten: boolean) => void;
}

/**
 * A file of JSON records, one per line, in the order of their appends; each is written completely or not at all.
 *
 * `append` hands a record and its newline to the disk before it returns. If the write fails, the partial record is cut off
 * and written later, in its turn. Errors of the disk never throw and nothing waits for the disk. Records are synced within
 * 5 s (`SyncTimer`), and before the file is closed.
 */
export class JsonLines<T> implements IDisposable {
  static readonly readJsonLines = readJsonLines;

  readonly #file: RecordFile;
  readonly #path: string;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #faults: RecordFaults;
  readonly #onWritten: ((bytes: Uint8Array) => void) | undefined;
  readonly #retry: RetryTimer;
  readonly onFault: Event<RecordFault | null>;

  /** Offset of the next record: all bytes below are whole lines. */
  #end = 0;
  #synced = 0;
  /** Copies of at most the newest megabyte since `#synced`. Each opened file gets its own object. */
  #unsynced = new RingBuffer(UNSYNCED_BYTES);
  /** A sync failed, and its bytes could not be written again yet. */
  #mustRewrite = false;
  readonly #syncTimer: SyncTimer;
  readonly #queue: Waiting[] = [];
  #queuedBytes = 0;
  #dropped = 0;
  #checkedAtMs: number;
  #syncedAtMs = Number.NEGATIVE_INFINITY;
  #nextSync: { run: Promise<void>; stop: () => void } | null = null;
  #closing: Promise<void> | null = null;

  private constructor(path: string, options: JsonLinesOptions) {
    this.#path = path;
    this.#log = options.log;
    this.#clock = options.clock;
    this.#file = new RecordFile(path, options);
    this.#onWritten = options.onWritten;
    this.#retry = new RetryTimer(options.clock, () => this.#drain());
    this.#syncTimer = new SyncTimer(options.clock, () => this.sync());
    this.#checkedAtMs = options.clock.monotonicMs();
    this.#faults = new RecordFaults(options.onFault);
    this.onFault = this.#faults.onChange;
  }

  /** Opens or creates the file. A file that cannot be opened is a fault; its records wait. */
  static open<T>(path: string, options: JsonLinesOptions): JsonLines<T> {
    const lines = new JsonLines<T>(path, options);
    const error = lines.#reopen();
    if (error) lines.#refuse(error);
    return lines;
  }

  get fault(): RecordFault | null {
    return this.#faults.current;
  }

  /** Number of records dropped because too many waited. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Bytes of whole lines in the file. */
  get size(): number {
    return this.#end;
  }

  /** Resolves to true when the record is handed to the disk, to false when it was dropped. Never rejects. */
  append(record: T): Promise<boolean> {
    const text = JSON.stringify(record);
    if (text === undefined) throw new TypeError(`not a JSON value, appended to ${this.#path}`);
    const bytes = Buffer.from(`${text}\n`);
    if (this.#closing) {
      this.#log('record_append_after_close', { path: this.#path, bytes: bytes.length });
      return Promise.resolve(false);
    }
    if (!this.#faults.write && this.#writeRecord(bytes)) return Promise.resolve(true);
    return new Promise((done) => this.#enqueue({ bytes, done }));
  }

  /** Runs fdatasync at most once a second; calls in between share the next one. Never rejects: a failure is a fault. */
  sync(): Promise<void> {
    if (this.#nextSync) return this.#nextSync.run;
    const waitMs = this.#syncedAtMs + SYNC_EVERY_MS - this.#clock.monotonicMs();
    if (waitMs <= 0) return this.#syncNow();
    let start: () => void = () => undefined;
    const run = new Promise<void>((resolve) => {
      start = resolve;
    }).then(() => {
      this.#nextSync = null;
      return this.#syncNow();
    });
    const timer = this.#clock.after(waitMs, start);
    this.#nextSync = {
      run,
      stop: () => {
        timer.dispose();
        start();
      },
    };
    return run;
  }

  /** Runs fdatasync without the pause; for the end. */
  async syncNow(): Promise<void> {
    const next = this.#nextSync;
    next?.stop();
    await (next?.run ?? this.#syncNow());
  }

  /** Tries the waiting records once more, drops the rest, and resolves when the descriptor is closed. */
  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  dispose(): void {
    detach('JsonLines', this.close());
  }

  async #shut(): Promise<void> {
    if (this.#queue.length > 0) this.#drain();
    this.#retry.dispose();
    this.#syncTimer.dispose();
    while (this.#queue.length > 0) this.#giveUpOldest();
    this.#nextSync?.stop();
    if (!(await this.#syncFile())) await this.#syncFile(); // the first refusal made `#syncFile` write the bytes again
    this.#syncTimer.dispose();
    this.#faults.dispose();
    await this.#file.close();
  }

  #writeRecord(bytes: Uint8Array): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#checkedAtMs >= DELETED_CHECK_MS) {
      this.#checkedAtMs = nowMs;
      if (this.#file.giveUpIfDeleted()) {
        const error = this.#reopen();
        if (error) return this.#refuse(error);
      }
    }
    const { written, error } = this.#file.writeAt(bytes, this.#end);
    if (error) {
      // If truncating fails too, the same record overwrites the torn piece, or the next start cuts it.
      if (written > 0) this.#file.truncate(this.#end);
      return this.#refuse(error);
    }
    this.#unsynced.append(bytes);
    this.#end += bytes.length;
    this.#syncTimer.start();
    this.#onWritten?.(bytes);
    return true;
  }

  #refuse(error: DiskError): false {
    if (!this.#faults.write) this.#log('record_suspended', { path: this.#path, code: error.code, offset: this.#end });
    this.#faults.setWrite({ reason: error.reason, fromOffset: this.#end });
    this.#retry.start();
    return false;
  }

  #enqueue(waiting: Waiting): void {
    this.#queue.push(waiting);
    this.#queuedBytes += waiting.bytes.length;
    while (this.#queuedBytes > QUEUE_BYTES && this.#queue.length > 1) this.#giveUpOldest();
  }

  #giveUpOldest(): void {
    const oldest = this.#queue.shift();
    if (!oldest) return;
    this.#queuedBytes -= oldest.bytes.length;
    this.#dropped += 1;
    this.#log('record_dropped', { path: this.#path, bytes: oldest.bytes.length, dropped: this.#dropped });
    oldest.done(false);
  }

  /** Writes the waiting records in order. True when none waits and the file has no fault. */
  #drain(): boolean {
    this.#file.giveUpIfDeleted();
    const error = this.#reopen();
    if (error) return this.#refuse(error);
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      if (!this.#writeRecord(next.bytes)) return false;
      this.#queue.shift();
      this.#queuedBytes -= next.bytes.length;
      next.done(true);
    }
    this.#log('record_resumed', { path: this.#path, offset: this.#end });
    this.#faults.setWrite(null);
    return true;
  }

  /** Opens the file if it is not open. Ends an unfinished last line, which was not recovered, instead of continuing it. */
  #reopen(): DiskError | null {
    if (this.#file.isOpen) return null;
    const { size, error } = this.#file.open();
    if (error) return error;
    this.#end = this.#synced = size;
    this.#unsynced = new RingBuffer(UNSYNCED_BYTES, size);
    this.#mustRewrite = false;
    if (size === 0) return null;
    const last = new Uint8Array(1);
    const read = this.#file.readAt(last, size - 1);
    if (read.error) return read.error;
    if (last[0] === LF) return null;
    const end = Uint8Array.of(LF);
    const ended = this.#file.writeAt(end, size);
    if (ended.error) return ended.error;
    this.#unsynced.append(end);
    this.#end += end.length;
    this.#syncTimer.start();
    return null;
  }

  async #syncNow(): Promise<void> {
    if (!this.#closing) await this.#syncFile();
  }

  /** False if the disk refused: the bytes that it may have lost are written again, and the next sync tries them. */
  async #syncFile(): Promise<boolean> {
    if (this.#end === this.#synced || !this.#file.isOpen) return true;
    if (this.#mustRewrite && !this.#rewrite()) return false;
    this.#syncedAtMs = this.#clock.monotonicMs();
    const upTo = this.#end;
    const unsynced = this.#unsynced;
    const error = await this.#file.sync();
    if (unsynced !== this.#unsynced) return true; // another file is open now, with its own timer
    if (error) {
      this.#log('record_sync_failed', { path: this.#path, code: error.code, from: this.#synced, upTo });
      this.#faults.setSync({ reason: `${error.reason} while syncing`, fromOffset: this.#synced });
      this.#rewrite();
      return false;
    }
    this.#synced = upTo;
    if (upTo === this.#end) {
      this.#unsynced = new RingBuffer(UNSYNCED_BYTES, upTo);
      this.#syncTimer.dispose();
    }
    this.#faults.setSync(null);
    return true;
  }

  /** After a failed fdatasync the kernel may consider the pages clean; writing them again makes them dirty. */
  #rewrite(): boolean {
    this.#syncTimer.start();
    const from = Math.max(this.#synced, this.#unsynced.start);
    const { error } = this.#file.writeAt(this.#unsynced.read(from, UNSYNCED_BYTES) ?? new Uint8Array(0), from);
    this.#mustRewrite = error !== null;
    return error === null;
  }
}
