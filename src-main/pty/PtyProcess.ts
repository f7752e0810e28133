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
}

/** A process with a pseudo-terminal. Bytes come exactly as the kernel gave them; after `onExit` no byte follows. */
export interface PtyProcess extends IDisposable {
  readonly pid: number;
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
