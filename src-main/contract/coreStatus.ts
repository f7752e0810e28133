/** How the running core is doing, for the command line that asks it. Times are ms since 1970. */
export interface CoreStatus {
  pid: number;
  /** When it took the data folder. */
  startedMs: number;
  version: string;
  dataFolder: string;
  /** `desktop`: the app's own process runs it. */
  front: 'web' | 'desktop';
  /** Belongs to no terminal: it goes on when the one it was started in is closed. */
  isBackground: boolean;
  /** Shells run in the PTY host: a restart or a crash of the core does not end them. */
  keepsShells: boolean;
  /** Where its page is, without a code; null where it has none. */
  origin: string | null;
  /** Where a tunnel of the person serves that page, as `--public-url` named it; null without one. */
  publicOrigin: string | null;
  /** Open connections to its API, the asking one included. */
  connections: number;
  /** Waits for something on a screen that are under way. */
  waits: number;
  /** In the order of the tabs. */
  terminals: TerminalStatusLine[];
}

/** For fields that a core of an earlier version does not have: after an update it may still run. */
export const EARLIER_STATUS = { keepsShells: false, publicOrigin: null } as const;

export interface TerminalStatusLine {
  id: string;
  name: string;
  cwd: string;
  state: 'live' | 'exited';
  /** Programs in front of its shell, and background jobs: what ending the core would end. */
  running: string[];
  /** Readers of its live bytes at this moment: windows, attached terminals. */
  viewers: number;
}
