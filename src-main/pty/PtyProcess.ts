import type { RecordGap } from '../contract/notice.ts';
import type { IDisposable } from '../util/Disposables.ts';
import type { Event } from '../util/Emitter.ts';
import type { ForegroundProcess } from './foreground.ts';
import type { KeyTaker } from './keyTaker.ts';

export interface PtyExit {
  exitCode: number | null;
  /** Such as SIGKILL, when a signal ended the process. */
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
  /** The terminal's folder, with `output.raw` and `output.times` in it. */
  readonly folder: string;
  /** Offset of the next byte of output.raw. */
  readonly offset: number;
  readonly nonce: string;
  /** For a later core, which is given it back as it is: JSON of at most 64 KiB. */
  readonly note: string;
}

/** Output that is in output.raw, with the nonce masked. */
export interface RecordedChunk {
  /** The receiver's own. */
  readonly bytes: Uint8Array;
  /** Offset of the first byte in output.raw. */
  readonly offset: number;
  /** Offsets at which a nonce was, ascending. */
  readonly nonceAt: number[];
  /** When the bytes came, in ms since 1970. */
  readonly atMs: number;
  /** The screen had this size from here on; only in output that was recorded before this core came. */
  readonly size?: { readonly cols: number; readonly rows: number } | undefined;
}

/** The output of a process whose owner records it. */
export interface RecordedOutput {
  readonly onChunk: Event<RecordedChunk>;
  /** The disk refuses a file (null: it is written again), or bytes could not be kept. */
  readonly onFault: Event<{ file: string; reason: string | null }>;
  readonly onGap: Event<RecordGap>;
  /** A core that comes later reads from `offset` on: everything before it is in the core's own files. */
  keepFrom(offset: number): void;
  /** `writer` has typed all keys below that number; sent with the keys, so that a core which comes later takes no key twice. */
  typed(writer: string, next: number): void;
  /** Lets the process run on without this core. Nothing comes from it any more. */
  leave(): void;
}

/** A process with a pseudo-terminal. Bytes come exactly as the kernel gave them; after `onExit` no byte follows. */
export interface PtyProcess extends IDisposable {
  /** 0 until another process has started it. */
  readonly pid: number;
  /** Present where the owner of the PTY is another process, which records the output: `onBytes` is silent then. */
  readonly recorded?: RecordedOutput;
  readonly onBytes: Event<Uint8Array>;
  readonly onExit: Event<PtyExit>;
  /** Queued; never blocks. Ignored after the exit. */
  write(data: string | Uint8Array): void;
  /** Clamped by the caller to TerminalSize. Ignored after the exit (node-pty would throw EBADF). */
  resize(cols: number, rows: number): void;
  /** Stops reading: the kernel's buffer fills and the program blocks. */
  pause(): void;
  resume(): void;
  kill(signal: string): void;
  /** Argument vector of the program that has the terminal now; empty when it is the shell itself or cannot be told. */
  foregroundArgv(): string[];
  /**
   * The processes that have the terminal now and those that started them, the nearest to the shell first; empty when the shell has it,
   * null when the system does not say.
   */
  foregroundProcesses(): ForegroundProcess[] | null;
  /** The program that a key would go to now; null where the shell itself would get it, or it cannot be told. */
  keyTaker(): KeyTaker | null;
  /**
   * Command lines (cut) of the programs that would be lost if this were closed now; the shell itself is not among them. Null when the
   * system does not say. `copies`: with copies of the shell that are no program (yet), named as the shell.
   */
  runningPrograms(which: { copies: boolean }): string[] | null;
}

export type SpawnPty = (spec: PtySpec) => PtyProcess;
