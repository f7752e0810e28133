import type { RecordGap } from '../contract/notice.ts';
import type { IDisposable } from '../util/Disposables.ts';
import type { Event } from '../util/Emitter.ts';
import type { ForegroundProcess } from './foreground.ts';
import type { KeyTaker } from './keyTaker.ts';

export interface PtyExit {
  exitCode: number | null;
  /** Name such as SIGKILL, if a signal ended the process. */
  signal: string | null;
}

export interface PtySpec {
  file: string;
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  cols: number;
  rows: number;
  /** Instead of this process' own. */
  umask?: number | undefined;
  /** Where the output goes; a process that hands its bytes to the caller does not need it. */
  output?: PtyOutput;
}

/** How the process that owns a PTY records its output. */
export interface PtyOutput {
  readonly terminalId: string;
  /** The terminal's folder, which contains `output.raw` and `output.times`. */
  readonly folder: string;
  /** Offset of the next byte of output.raw. */
  readonly offset: number;
  readonly nonce: string;
  /** Returned unchanged to a later core: JSON of at most 64 KiB. */
  readonly note: string;
}

/** Recorded output of output.raw, with the nonce masked. */
export interface RecordedChunk {
  /** Owned by the receiver. */
  readonly bytes: Uint8Array;
  /** Offset of the first byte in output.raw. */
  readonly offset: number;
  /** Offsets at which a nonce was, ascending. */
  readonly nonceAt: number[];
  /** Time at which the bytes came, in ms since 1970. */
  readonly atMs: number;
  /** Size of the screen from here on; only in output recorded before this core started. */
  readonly size?: { readonly cols: number; readonly rows: number } | undefined;
}

/** The output of a process whose owner records it. */
export interface RecordedOutput {
  readonly onChunk: Event<RecordedChunk>;
  /** The disk refuses a file (a null reason: it can be written again), or bytes were lost. */
  readonly onFault: Event<{ file: string; reason: string | null }>;
  readonly onGap: Event<RecordGap>;
  /** A later core reads from `offset` on: everything before it is in the core's own files. */
  keepFrom(offset: number): void;
  /** `writer` has typed all keys below `next`; sent with the keys, so that a later core accepts no key twice. */
  typed(writer: string, next: number): void;
  /** Types the answer to the next query at or after `offset`; an empty one is not given. Sent with its bytes, so that no later core repeats it. */
  answer(text: string, offset: number): void;
  /** All queries that end before `offset` have been dealt with. */
  settled(offset: number): void;
  /** Leaves the process running without this core, which gets nothing more from it. */
  leave(): void;
}

/** A process with a pseudo-terminal. Bytes come exactly as the kernel returned them; no byte follows `onExit`. */
export interface PtyProcess extends IDisposable {
  /** 0 until another process has started it. */
  readonly pid: number;
  /** Present if another process owns the PTY and records the output: `onBytes` never fires then. */
  readonly recorded?: RecordedOutput;
  readonly onBytes: Event<Uint8Array>;
  readonly onExit: Event<PtyExit>;
  /** Queued; never blocks. Ignored after the exit. */
  write(data: string | Uint8Array): void;
  /** The caller clamps it to TerminalSize. Ignored after the exit (node-pty would throw EBADF). */
  resize(cols: number, rows: number): void;
  /** Stops reading: the kernel's buffer fills and the program blocks. */
  pause(): void;
  resume(): void;
  kill(signal: string): void;
  /** Argument vector of the program that has the terminal now; empty if it is the shell itself or unknown. */
  foregroundArgv(): string[];
  /**
   * The processes that have the terminal now and those that started them, nearest to the shell first; empty if the shell has it,
   * null if the system does not report them.
   */
  foregroundProcesses(): ForegroundProcess[] | null;
  /** The program that would get a key now; null if the shell would get it, or if unknown. */
  keyTaker(): KeyTaker | null;
  /**
   * Command lines (cut) of the programs that would be lost on closing now, without the shell itself. Null if the
   * system does not report them. `copies`: include copies of the shell without their own program, named like the shell.
   */
  runningPrograms(which: { copies: boolean }): string[] | null;
}

export type SpawnPty = (spec: PtySpec) => PtyProcess;
