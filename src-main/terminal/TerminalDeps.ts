import type { TerminalColors } from '../contract/screen/frame.ts';
import type { TerminalMeta } from '../contract/terminal.ts';
import type { AgentsShared } from '../conversations/tracking/AgentWatch.ts';
import type { Notices } from '../notices/Notices.ts';
import type { SpawnPty } from '../pty/PtyProcess.ts';
import type { ScreenHost } from '../screen/worker/ScreenHost.ts';
import type { LaunchPlan } from '../shells/launchPlan.ts';
import type { Disk } from '../store/files/Disk.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import type { Log } from '../util/Log.ts';
import type { CommandHistory } from './blocks/CommandHistory.ts';
import type { HookLoader } from './HookLoader.ts';

/** How one shell is to be started: everything but where. */
export interface Launch {
  plan: LaunchPlan;
  /** Fresh for every start. */
  nonce: string;
  env: Record<string, string>;
  /** The file from which the hook reads the nonce; disposing removes it. */
  nonceFile: IDisposable;
}

/** What a terminal is given; all of it is shared among terminals. */
export interface TerminalDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** The system calls that the record is written with, where they are not the system's own. */
  readonly disk?: Disk;
  readonly notices: Notices;
  readonly history: CommandHistory;
  readonly screens: ScreenHost;
  /** False where another terminal shows the program and answers its questions (`hansard record`); ours then stays silent. */
  readonly answersQueries?: boolean;
  /** This machine's, to tell OSC 7 paths of others apart. */
  readonly hostName: string;
  readonly scrollbackLines: number;
  /** With which colours a program is answered that asks for them; without, it is not answered. */
  readonly colors?: () => TerminalColors;
  readonly spawnPty: SpawnPty;
  /** 2 × `bytes` hex digits of good randomness. */
  readonly randomId: (bytes: number) => string;
  readonly launch: (meta: TerminalMeta) => Launch;
  readonly hookLoader: HookLoader;
  /** Something new is in a chat.jsonl, for who indexes it. */
  readonly onChatWritten?: (terminalId: string) => void;
  readonly agents: AgentsShared;
  /** An outside client is calling right now: who floods waits for it. */
  readonly isAsked?: () => boolean;
  readonly readBranch: (cwd: string) => Promise<string | null>;
}

/** What blocks need of it: also without a process behind them. */
export type BookDeps = Pick<TerminalDeps, 'clock' | 'log' | 'disk' | 'history' | 'screens' | 'randomId'>;
