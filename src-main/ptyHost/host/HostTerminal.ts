import { join } from 'node:path';
import type { RecordGap } from '../../contract/notice.ts';
import { ShellMask } from '../../events/masks/ShellMask.ts';
import { beginsLine } from '../../pty/beginsLine.ts';
import { ChunkCoalescer } from '../../pty/ChunkCoalescer.ts';
import { isFocusReport } from '../../pty/isFocusReport.ts';
import type { PtyExit, PtyProcess, SpawnPty } from '../../pty/PtyProcess.ts';
import { AppendFile } from '../../store/files/AppendFile.ts';
import type { Disk } from '../../store/files/Disk.ts';
import { OutputTimes } from '../../store/record/OutputTimes.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import type { AnsweredQueries, HeldTerminal, OpenTerminal, ShellExit, ToCore } from '../protocol/messages.ts';
import { QueryAnswers } from './QueryAnswers.ts';

/** Measured: with one reused buffer of this size, a core that follows the file is at most a third slower than node-pty alone. */
const LIMITS = { maxBytes: 256 * 1024, maxWaitMs: 4, isReused: true } as const;
/** Most offsets of nonces to keep for a core; a shell makes about four per command. */
const MAX_NONCES = 200_000;
/** A pause ends if the core does not renew it, so that a core that hangs or is stopped holds up no program. See `RENEW_PAUSE_MS`. */
const PAUSE_MS = 5000;
/** Pages that have typed; after a reload, a page is another writer. */
const MAX_WRITERS = 256;
const NO_BYTES = new Uint8Array(0);

export interface HostTerminalDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly disk?: Disk;
  readonly spawnPty: SpawnPty;
  /** False while there is no core. */
  hasCore(): boolean;
  /** False if the core does not read its messages: the program must wait for `hasRoom`. */
  tell(message: ToCore, bytes?: Uint8Array): boolean;
  /** The shell has exited, and the kernel has its bytes. */
  ended(): void;
}

/** One PTY and its two files. The record comes first: a core learns only of bytes that are written. */
export class HostTerminal {
  readonly id: string;
  readonly #spec: OpenTerminal;
  readonly #deps: HostTerminalDeps;
  readonly #process: PtyProcess;
  readonly #raw: AppendFile;
  readonly #times: OutputTimes;
  readonly #mask: ShellMask;
  readonly #answers = new QueryAnswers();
  /** State for a later core. */
  readonly #held: {
    size: { cols: number; rows: number };
    keep: number;
    attendance: number[];
    answered: AnsweredQueries;
    nonceAt: number[];
    keyedAt: number;
    isLineBegun: boolean;
  };
  readonly #typed = new Map<string, number>();
  /** Current faults, and gaps that happened while there was no core. */
  readonly #refused: { faults: Record<string, string>; gaps: RecordGap[] } = { faults: {}, gaps: [] };
  #exit: ShellExit | null = null;
  /** Reasons to pause the program: the core is behind the file, or does not read its messages. */
  readonly #waits: { isAhead: boolean; isUnread: boolean; lapse?: IDisposable } = { isAhead: false, isUnread: false };

  /** Throws the system's error if the shell cannot start. */
  constructor(spec: OpenTerminal, deps: HostTerminalDeps) {
    this.id = spec.id;
    this.#spec = spec;
    this.#deps = deps;
    this.#raw = AppendFile.open(join(spec.folder, 'output.raw'), {
      ...deps,
      startOffset: spec.offset,
      mayBeShort: true,
      onFault: (fault) => this.#fault('output.raw', fault?.reason ?? null),
    });
    this.#times = OutputTimes.open(join(spec.folder, 'output.times'), {
      ...deps,
      onFault: (fault) => this.#fault('output.times', fault?.reason ?? null),
    });
    this.#raw.onGap((gap) => this.#lost(gap));
    const answered = { at: spec.offset, count: 0 };
    this.#held = {
      size: spec,
      keep: spec.offset,
      attendance: [],
      answered,
      nonceAt: [],
      keyedAt: -1,
      isLineBegun: false,
    };
    this.#mask = new ShellMask({ ...deps, nonce: spec.nonce, offset: spec.offset, take: (chunk) => this.#take(chunk) });
    const joined = new ChunkCoalescer(deps.clock, (bytes) => this.#mask.feed(bytes), LIMITS);
    try {
      if (this.#raw.size !== spec.offset)
        throw new Error(`output.raw has ${this.#raw.size} bytes where ${spec.offset} were expected`);
      this.#process = deps.spawnPty(spec);
    } catch (error) {
      this.#raw.dispose();
      this.#times.dispose();
      throw error;
    }
    this.#process.onBytes((bytes) => joined.take(bytes));
    this.#process.onExit((exit) => {
      joined.flush();
      this.#end(exit);
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  get hasExited(): boolean {
    return this.#exit !== null;
  }

  /** Of a terminal without a core. */
  get state(): HeldTerminal {
    const { id, nonce, note, offset } = this.#spec;
    const { size, ...held } = this.#held;
    const refusedFrom = this.#raw.size - this.#refusedOutput().length;
    return {
      ...{ id, nonce, note, start: offset, end: this.#raw.size, pid: this.pid, exit: this.#exit },
      ...{ cols: size.cols, rows: size.rows, ...held, ...(refusedFrom < this.#raw.size && { refusedFrom }) },
      ...{ lostAt: held.attendance.at(-1) ?? null, typed: Object.fromEntries(this.#typed), ...this.#refused },
    };
  }

  /** `query`: see `ToHost`. */
  write(bytes: Uint8Array, query?: number): void {
    const { at, count } = this.#held.answered;
    if (query !== undefined) this.#held.answered = { at: query, count: query === at ? count + 1 : 1 };
    else if (bytes.length > 0 && !isFocusReport(bytes))
      Object.assign(this.#held, { keyedAt: this.#raw.size, isLineBegun: beginsLine(bytes, this.#held.isLineBegun) });
    if (bytes.length > 0) this.#process.write(bytes);
  }

  settled(to: number): void {
    if (to > this.#held.answered.at) this.#held.answered = { at: to, count: 0 };
  }

  typed(writer: string, next: number): void {
    this.#typed.delete(writer);
    this.#typed.set(writer, next);
    const oldest = this.#typed.keys().next().value;
    if (this.#typed.size > MAX_WRITERS && oldest !== undefined) this.#typed.delete(oldest);
  }

  resize(cols: number, rows: number): void {
    this.#mask.flush();
    this.#held.size = { cols, rows };
    this.#process.resize(cols, rows);
  }

  /** Pauses the program for `PAUSE_MS`, or until the core says otherwise. */
  pause(): void {
    this.#waits.lapse?.dispose();
    this.#waits.lapse = this.#deps.clock.after(PAUSE_MS, () => this.resume());
    this.#hold({ isAhead: true });
  }

  resume(): void {
    this.#waits.lapse?.dispose();
    this.#hold({ isAhead: false });
  }

  /** The core reads its messages again. */
  hasRoom(): void {
    this.#hold({ isUnread: false });
  }

  kill(signal: string): void {
    this.#process.kill(signal);
  }

  /** A later core needs no bytes before `offset`. */
  keepFrom(offset: number): void {
    this.#held.keep = Math.max(this.#held.keep, Math.min(offset, this.#raw.size));
    this.#held.nonceAt = this.#held.nonceAt.filter((at) => at >= this.#held.keep);
    const came = this.#held.attendance.findLastIndex((at, n) => n % 2 === 1 && at <= this.#held.keep);
    this.#held.attendance.splice(0, came + 1);
    this.#times.flush();
  }

  /** There is no core any more: the program is not paused, and the host answers queries. Without counts, all have been answered so far. */
  lostCore(countsAnswers: boolean): void {
    if (!countsAnswers) this.settled(this.#raw.size);
    this.#held.attendance.push(this.#raw.size);
    this.resume();
    this.hasRoom();
  }

  /** A core has received the state. It gets the output that the disk refuses too, because it reads the rest from there. */
  foundCore(): void {
    this.#held.attendance.push(this.#raw.size);
    this.#refused.gaps.length = 0;
    const bytes = this.#refusedOutput();
    const from = this.#raw.size - bytes.length;
    if (bytes.length > 0)
      this.#tellGrowth(
        this.#held.nonceAt.filter((at) => at >= from),
        bytes,
      );
  }

  /** Resolves when everything is on disk and the files are closed. */
  async close(): Promise<void> {
    this.#waits.lapse?.dispose();
    await Promise.all([this.#raw.close(), this.#times.close()]);
  }

  #take({ bytes, nonceAt }: { bytes: Uint8Array; nonceAt: number[] }): void {
    if (bytes.length === 0 && nonceAt.length === 0) return;
    const atMs = this.#deps.clock.nowMs();
    const from = this.#raw.size;
    this.#raw.append(bytes);
    this.#times.note(from, atMs);
    this.#held.nonceAt.push(...nonceAt);
    if (this.#held.nonceAt.length > MAX_NONCES) this.#held.nonceAt.splice(0, MAX_NONCES / 2);
    if (!this.#deps.hasCore()) return this.#answer(bytes);
    this.#answers.pass(bytes);
    this.#tellGrowth(nonceAt, this.#raw.fault ? bytes : NO_BYTES, atMs);
  }

  #tellGrowth(nonceAt: readonly number[], unwritten: Uint8Array, atMs = this.#deps.clock.nowMs()): void {
    const hasRoom = this.#deps.tell({ type: 'grew', id: this.id, end: this.#raw.size, nonceAt, atMs }, unwritten);
    if (!hasRoom) this.#hold({ isUnread: true });
  }

  /** The end of the output that a core needs and the disk refuses. */
  #refusedOutput(): Uint8Array {
    const { refused, size } = this.#raw;
    return refused.subarray(Math.max(0, this.#held.keep - (size - refused.length)));
  }

  /** Pauses the program while there is a reason. */
  #hold(change: { isAhead?: boolean; isUnread?: boolean }): void {
    const didWait = this.#waits.isAhead || this.#waits.isUnread;
    Object.assign(this.#waits, change);
    const mustWait = this.#waits.isAhead || this.#waits.isUnread;
    if (mustWait === didWait) return;
    if (mustWait) this.#process.pause();
    else this.#process.resume();
  }

  #answer(bytes: Uint8Array): void {
    const answers = this.#answers.answer(bytes, this.#deps.clock.monotonicMs());
    if (answers !== '') this.#process.write(answers);
  }

  #end(exit: PtyExit): void {
    this.#mask.end();
    this.#times.flush();
    if (!this.#raw.fault) return this.#tellEnd(exit);
    // closing drops what the disk refuses, and the core listens for that gap until it learns of the end
    detach(
      'HostTerminal',
      this.close().finally(() => this.#tellEnd(exit)),
    );
  }

  #tellEnd({ exitCode, signal }: PtyExit): void {
    this.#exit = { exitCode, signal };
    this.#deps.tell({ type: 'exited', id: this.id, end: this.#raw.size, exitCode, signal });
    this.#deps.ended();
  }

  #fault(file: string, reason: string | null): void {
    if (reason === null) delete this.#refused.faults[file];
    else this.#refused.faults[file] = reason;
    this.#deps.tell({ type: 'fault', id: this.id, file, reason });
  }

  #lost(gap: RecordGap): void {
    if (this.#deps.hasCore()) this.#deps.tell({ type: 'gap', id: this.id, gap });
    else this.#refused.gaps.push(gap);
  }
}
