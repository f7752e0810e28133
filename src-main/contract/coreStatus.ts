/** State of the running core, for the command line. Times are ms since 1970. */
export interface CoreStatus {
  pid: number;
  /** Time at which it acquired the data folder. */
  startedMs: number;
  version: string;
  /** See `SystemInfo.build`. */
  build: string;
  dataFolder: string;
  /** `desktop`: the app's own process runs it. */
  front: 'web' | 'desktop';
  /** Detached from any terminal: it keeps running when the terminal of its start is closed. */
  isBackground: boolean;
  /** Shells run in the PTY host: a restart or a crash of the core does not end them. */
  keepsShells: boolean;
  /** Address of its page, without a code; null if it has none. */
  origin: string | null;
  /** Address at which the person's tunnel serves that page, given by `--public-url`; null without one. */
  publicOrigin: string | null;
  /** Open connections to its API, the asking one included. */
  connections: number;
  /** Number of open waits for a screen. */
  waits: number;
  /** In the order of the tabs. */
  terminals: TerminalStatusLine[];
}

/** Defaults for a core of an earlier version, which may still run after an update. */
export const EARLIER_STATUS = { keepsShells: false, publicOrigin: null, build: '' } as const;

export interface TerminalStatusLine {
  id: string;
  name: string;
  cwd: string;
  state: 'live' | 'exited';
  /** Programs in front of its shell, and background jobs, which would end with the core. */
  running: string[];
  /** Current readers of its live bytes: windows and attached terminals. */
  viewers: number;
}
