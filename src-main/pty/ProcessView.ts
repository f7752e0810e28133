/** What decides which process has a terminal. */
export interface ProcessStat {
  pid: number;
  parent: number;
  group: number;
  /** Foreground process group of its terminal; 0 or -1 without one. */
  tpgid: number;
  /** One letter of the system's own; Z is a zombie. */
  state: string;
  /** The program's name, for a process whose arguments cannot be read. */
  name: string;
  /** It is a copy of its parent that has started no program: a shell between fork and exec, or a subshell. */
  isFork: boolean;
}

/** Whether a process could read the terminal: as what it was given, as a file that it opened itself (or that is not known), or not at all. */
export type TerminalUse = 'given' | 'opened' | 'none';

/**
 * One look at the processes of one shell's terminal. A view is made for one question and thrown away: what it read once it may
 * give again.
 */
export interface ProcessView {
  /** Null when there is no such process (any more). */
  stat(pid: number): ProcessStat | null;
  /** The shell and everything else in its terminal, without zombies; null when the system does not say. */
  all(): ProcessStat[] | null;
  /** Argument vector; empty when it cannot be read. */
  argv(pid: number): string[];
  /** `given` where the system does not say. */
  terminalUse(pid: number): TerminalUse;
}
