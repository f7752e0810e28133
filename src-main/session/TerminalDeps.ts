import type { TerminalMeta } from '../contract/terminal.ts';
import type { SpawnPty } from '../pty/PtyProcess.ts';
import type { ScreenHost } from '../screen/ScreenHost.ts';
import type { LaunchPlan } from '../shells/launchPlan.ts';
import type { Clock } from '../util/Clock.ts';
import type { Log } from '../util/Log.ts';
import type { CommandHistory } from './CommandHistory.ts';
import type { Notices } from './Notices.ts';

/** How one shell is to be started: everything but where. */
export interface Launch {
  plan: LaunchPlan;
  /** Fresh for every start. */
  nonce: string;
  env: Record<string, string>;
}

/** What a terminal is given; all of it is shared among terminals. */
export interface TerminalDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  readonly history: CommandHistory;
  readonly screens: ScreenHost;
  /** This machine's, to tell OSC 7 paths of others apart. */
  readonly hostName: string;
  readonly scrollbackLines: number;
  readonly spawnPty: SpawnPty;
  /** 2 × `bytes` hex digits of good randomness. */
  readonly randomId: (bytes: number) => string;
  readonly launch: (meta: TerminalMeta) => Launch;
  readonly readBranch: (cwd: string) => Promise<string | null>;
}
