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

/** Parameters of a shell's start, except the place. */
export interface Launch {
  plan: LaunchPlan;
  /** Fresh for every start. */
  nonce: string;
  env: Record<string, string>;
  /** The file from which the hook reads the nonce; disposing removes it. */
  nonceFile: IDisposable;
}

/** Dependencies of a terminal, shared by all terminals. */
export interface TerminalDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** The system calls that write the record, if not the system's own. */
  readonly disk?: Disk;
  readonly notices: Notices;
  readonly history: CommandHistory;
  readonly screens: ScreenHost;
  /** False if another terminal shows the program and answers its queries (`hansard record`). */
  readonly answersQueries?: boolean;
  /** This machine's name, to recognize OSC 7 paths of other machines. */
  readonly hostName: string;
  readonly scrollbackLines: number;
  /** Colours that answer colour queries; without them, these queries get no answer. */
  readonly colors?: () => TerminalColors;
  readonly spawnPty: SpawnPty;
  /** Returns 2 × `bytes` hex digits from a secure random source. */
  readonly randomId: (bytes: number) => string;
  readonly launch: (meta: TerminalMeta) => Launch;
  readonly hookLoader: HookLoader;
  /** Called after a chat.jsonl has new lines, to index them. */
  readonly onChatWritten?: (terminalId: string) => void;
  readonly agents: AgentsShared;
  /** True while a client is calling, which throttles floods. */
  readonly isAsked?: () => boolean;
  readonly readBranch: (cwd: string) => Promise<string | null>;
}

/** Dependencies of blocks, also without a process. */
export type BookDeps = Pick<TerminalDeps, 'clock' | 'log' | 'disk' | 'history' | 'screens' | 'randomId'>;
