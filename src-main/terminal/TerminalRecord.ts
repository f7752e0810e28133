import { rm } from 'node:fs/promises';
import type { BlockRecord } from '../blocks/BlockState.ts';
import type { Divider } from '../contract/api.ts';
import type { RecordGap } from '../contract/notice.ts';
import type { TerminalMeta, TerminalWords, Unseen } from '../contract/terminal.ts';
import type { PtyOutput, RecordedOutput } from '../pty/PtyProcess.ts';
import type { Disk } from '../store/files/Disk.ts';
import { JsonLines } from '../store/files/JsonLines.ts';
import { readRangeNow } from '../store/files/readPiece.ts';
import { replaceFile } from '../store/files/replaceFile.ts';
import type { Gap } from '../store/record/readGaps.ts';
import type { SizeAt } from '../store/record/reopen.ts';
import type { SessionFolder } from '../store/record/SessionFolder.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { Emitter } from '../util/Emitter.ts';
import type { Log } from '../util/Log.ts';
import { SerialQueue } from '../util/SerialQueue.ts';
import { detach } from '../util/strayErrors.ts';
import { RecordedBytes } from './RecordedBytes.ts';

const META_LATER_MS = 2_000;
/** Ten seconds of a shell without marks, unless it floods. */
const MAX_RECENT_BYTES = 8 * 1024 * 1024;

/** A line of events.jsonl. */
export type RecordEvent =
  | { type: 'started' | 'restored'; atMs: number; at: number; argv?: readonly string[]; cols?: number; rows?: number }
  /** From an imported recording. */
  | { type: 'marker'; atMs: number; at: number; label: string }
  | { type: 'exited'; atMs: number; at: number; exitCode: number | null; signal: string | null }
  /** `sweep`: temporary, unseen by viewers. */
  | { type: 'resize'; atMs: number; at: number; cols: number; rows: number; sweep?: true }
  | { type: 'quality'; atMs: number; at: number; level: string; reason: string }
  /** A divider of the same kind and time replaces it. */
  | ({ type: 'divider' } & Divider)
  | BlockRecord
  | RecordGap;

/** Where a record begins. `sizes`: those that its screen had before; without them, the one of `meta`. */
interface RecordStart {
  readonly meta: TerminalMeta;
  readonly rawSize: number;
  readonly isContinued?: boolean;
  readonly sizes?: readonly SizeAt[];
}

/** output.raw, events.jsonl and meta.json of one terminal. */
export class TerminalRecord {
  readonly folder: SessionFolder;
  /** True if it continues the record of an earlier core whose shell still runs. */
  readonly isContinued: boolean;
  readonly #bytes: RecordedBytes;
  readonly #events: JsonLines<RecordEvent>;
  readonly #clock: Clock;
  readonly #faults = new Emitter<string | null>();
  #meta: TerminalMeta;
  readonly #writingMeta = new SerialQueue();
  /** A write waits for its turn; it uses the value of #meta at that time. */
  #isMetaDue = false;
  #metaLater: IDisposable | null = null;
  #isClosed = false;
  /** Sizes of the screen since the last offset given to `forgetSizes`. */
  #sizes: SizeAt[];
  /** Reasons, by the file that cannot be written. */
  readonly #faultOf = new Map<string, string>();
  readonly onFault = this.#faults.on;
  /** Gaps, which windows show too. */
  readonly #gaps = new Emitter<RecordGap>();
  readonly onGap = this.#gaps.on;

  constructor(
    folder: SessionFolder,
    { meta, rawSize, isContinued = false, sizes }: RecordStart,
    deps: { log: Log; clock: Clock; disk?: Disk; timesEveryMs?: number },
  ) {
    this.folder = folder;
    this.isContinued = isContinued;
    const { unseenTo: _, ...fresh } = meta; // a new shell's output is all new, also where an earlier one's was pruned
    this.#meta = isContinued ? meta : fresh;
    this.#clock = deps.clock;
    const makeFolder = (): void => folder.create(); // at each attempt, because a full disk refuses it too
    this.#bytes = new RecordedBytes(folder, rawSize, {
      ...deps,
      makeFolder,
      onFault: (file, reason) => this.reportFault(file, reason),
      onGap: (gap) => this.#lost(gap),
    });
    if (!isContinued) this.#bytes.writeHere();
    this.#events = JsonLines.open<RecordEvent>(folder.events, {
      ...deps,
      makeFolder,
      onFault: (fault) => this.reportFault('events.jsonl', fault?.reason ?? null),
    });
    this.#sizes = [...(sizes ?? [{ offset: 0, cols: meta.cols, rows: meta.rows }])];
    this.#saveMeta({});
  }

  get meta(): TerminalMeta {
    return this.#meta;
  }

  /** Offset of the next byte in output.raw. */
  get size(): number {
    return this.#bytes.size;
  }

  /** The file that cannot be written and the reason, or null. */
  get fault(): string | null {
    const [first] = this.#faultOf;
    return first ? `${first[0]}: ${first[1]}` : null;
  }

  /** True while output.raw lacks bytes that the disk has refused. */
  get isRefused(): boolean {
    return this.#bytes.isRefused;
  }

  /** The ranges of output.raw that could not be written. */
  gaps(): Promise<readonly Gap[]> {
    return this.#bytes.gaps();
  }

  /** `reason` is null when `file` can be written again. */
  reportFault(file: string, reason: string | null): void {
    const before = this.fault;
    if (reason === null) this.#faultOf.delete(file);
    else this.#faultOf.set(file, reason);
    if (this.fault !== before) this.#faults.fire(this.fault); // a disk that refuses all files is reported once
  }

  /** Returns the offset of the first byte. Never throws. Only counts bytes that the owner of the PTY has written. */
  append(bytes: Uint8Array): number {
    return this.#bytes.append(bytes);
  }

  /** Where the owner of a PTY writes the output of a shell that starts now. */
  outputOf(nonce: string, note: string): PtyOutput {
    return { terminalId: this.#meta.id, folder: this.folder.root, offset: this.size, nonce, note };
  }

  /** From now on the owner of the PTY writes both files. */
  followHost(output: RecordedOutput): void {
    this.#bytes.follow(output);
  }

  /** From now on this process writes both files. */
  writeHere(): void {
    this.#bytes.writeHere();
  }

  write(event: RecordEvent): void {
    detach('TerminalRecord', this.#events.append(event));
  }

  /** The size at `from` and the resizes up to `to`, with offsets relative to `from`. */
  sizesOf(from: number, to: number): { size: { cols: number; rows: number }; resizes: SizeAt[] } {
    const before = this.#sizes.findLast(({ offset }) => offset <= from) ?? this.#sizes[0] ?? this.#meta;
    const resizes = this.#sizes
      .filter(({ offset }) => offset > from && offset < to)
      .map((at) => ({ ...at, offset: at.offset - from }));
    return { size: { cols: before.cols, rows: before.rows }, resizes };
  }

  /** Drops sizes before `offset`, which are no longer needed. */
  forgetSizes(offset: number): void {
    const at = this.#sizes.findLastIndex((size) => size.offset <= offset);
    if (at > 0) this.#sizes = this.#sizes.slice(at);
  }

  /** Bytes [from, to) that were just appended; undefined if there are too many to read at once, or if they are not on disk. */
  readRecent(from: number, to: number): Uint8Array | undefined {
    if (to - from > MAX_RECENT_BYTES || this.isRefused) return undefined;
    const bytes = readRangeNow(this.folder.raw, from, to - from);
    return bytes.length === to - from ? bytes : undefined;
  }

  started(argv: readonly string[], isRestored: boolean): void {
    const { cols, rows } = this.#meta;
    const type = isRestored ? 'restored' : 'started';
    this.write({ type, atMs: this.#clock.nowMs(), at: this.size, argv, cols, rows });
    const { closedMs: _closed, exitCode: _code, signal: _signal, ...meta } = this.#meta;
    this.#meta = meta;
    this.#saveMeta({});
  }

  exited(exitCode: number | null, signal: string | null): void {
    const atMs = this.#clock.nowMs();
    this.write({ type: 'exited', atMs, at: this.size, exitCode, signal });
    this.#saveMeta({ closedMs: atMs, ...(exitCode !== null && { exitCode }), ...(signal !== null && { signal }) });
  }

  /** `isSweep`: a temporary size, which a restart does not use. */
  resized({ cols, rows }: { cols: number; rows: number }, isSweep = false): void {
    this.#sizes.push({ offset: this.size, cols, rows });
    this.write({
      type: 'resize',
      atMs: this.#clock.nowMs(),
      at: this.size,
      cols,
      rows,
      ...(isSweep && { sweep: true }),
    });
    if (!isSweep) this.#saveMeta({ cols, rows });
  }

  described({ name = this.#meta.name ?? null, isHidden = this.#meta.hidden === true }: TerminalWords): void {
    const { name: _name, hidden: _hidden, ...meta } = this.#meta;
    this.#meta = { ...meta, ...(name !== null && { name }), ...(isHidden && { hidden: true }) };
    this.#saveMeta({});
  }

  /** Sets the folder in which a restored shell should start. */
  moved(cwd: string): void {
    if (cwd !== this.#meta.cwd) this.#saveMeta({ cwd });
  }

  dismissedChat(conversationId: string | null): void {
    const { dismissedChat: _, ...meta } = this.#meta;
    this.#meta = { ...meta, ...(conversationId !== null && { dismissedChat: conversationId }) };
    this.#saveMeta({});
  }

  /** Keeps what the person has not looked at over restarts. Written within two seconds, because a program may ring the bell at any rate. */
  unseen({ bell, failure, notification }: Unseen): void {
    const { unseen: before = { bell: false, failure: null, notification: null } } = this.#meta;
    if (before.bell === bell && before.failure === failure && before.notification === notification) return;
    const unseenTo = Math.max(this.size, this.#meta.unseenTo ?? 0); // the output is read once more after an adoption
    this.#meta = { ...this.#meta, unseen: { bell, failure, notification }, unseenTo };
    this.#saveMetaLater();
  }

  /**
   * Replaces shell.json, or removes it if the disk refuses: without it, the next core waits for the shell's next report, and trusts no change of the
   * shell. Not synced: a shell does not outlive a power cut.
   */
  keepReports(json: string): void {
    const { shellJson } = this.folder;
    const write = () => replaceFile(shellJson, json, { fsync: false }).catch(() => rm(shellJson, { force: true }));
    const writing = this.#writingMeta.run(write).catch(() => undefined); // a disk that refuses is reported by the other files
    detach('TerminalRecord', writing);
  }

  titled(title: string): void {
    this.#meta = { ...this.#meta, title };
  }

  /** Writes the times of all bytes so far; the bytes themselves are already written. */
  flush(): void {
    this.#bytes.flush();
  }

  async sync(): Promise<void> {
    await Promise.all([this.#bytes.sync(), this.#events.sync()]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#metaLater?.dispose();
    this.#saveMeta({});
    await Promise.all([this.#bytes.close(), this.#events.close(), this.#writingMeta.idle()]);
  }

  #lost(gap: RecordGap): void {
    this.write(gap);
    this.#gaps.fire(gap);
  }

  #saveMeta(change: Partial<TerminalMeta>): void {
    this.#meta = { ...this.#meta, ...change };
    if (this.#isMetaDue) return;
    this.#isMetaDue = true;
    this.#writingMeta
      .run(() => {
        this.#isMetaDue = false;
        return replaceFile(this.folder.meta, `${JSON.stringify(this.#meta)}\n`);
      })
      .then(
        () => this.#faultOf.has('meta.json') && this.reportFault('meta.json', null),
        (error: unknown) => {
          this.reportFault('meta.json', error instanceof Error ? error.message : String(error));
          this.#saveMetaLater();
        },
      );
  }

  /** Also retries: there may be no other write for hours, and the fault notice stays until one succeeds. */
  #saveMetaLater(): void {
    if (this.#isClosed) return;
    this.#metaLater ??= this.#clock.after(META_LATER_MS, () => {
      this.#metaLater = null;
      this.#saveMeta({});
    });
  }
}
