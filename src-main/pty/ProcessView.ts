/** A process, with the facts that decide which process has the terminal. */
export interface ProcessStat {
  pid: number;
  parent: number;
  group: number;
  /** Foreground process group of its terminal; 0 or -1 without one. */
  tpgid: number;
  /** One letter defined by the system; Z is a zombie. */
  state: string;
  /** The program's name, for a process whose arguments cannot be read. */
  name: string;
  /** True for a copy of its parent without its own program: a shell between fork and exec, or a subshell. */
  isFork: boolean;
}

/** How a process can read the terminal: through a given descriptor, through one that it opened itself (or in an unknown way), or not at all. */
export type TerminalUse = 'given' | 'opened' | 'none';

/**
 * A snapshot of the processes of one shell's terminal. It serves one query only, because it may
 * cache what it reads.
 */
export interface ProcessView {
  /** Null if the process does not exist (any more). */
  stat(pid: number): ProcessStat | null;
  /** The shell and all other processes in its terminal, without zombies; null if the system does not report them. */
  all(): ProcessStat[] | null;
  /** Argument vector; empty if it cannot be read. */
  argv(pid: number): string[];
  /** `given` if the system does not report it. */
  terminalUse(pid: number): TerminalUse;
}
