import type { Block } from '../block.ts';
import type { FaultCode } from './mcp.ts';

/** Why a command cannot be typed into a terminal now. */
export type IdleReason =
  | 'block_running'
  | 'foreground_process'
  | 'alt_screen'
  | 'line_not_empty'
  | 'user_typing'
  | 'no_prompt'
  | 'agent_session';

export interface IdleReport {
  readonly idle: boolean;
  /** Empty when it is idle. */
  readonly reasons: readonly IdleReason[];
  /** Since the person's last key that still counts; null when there was none. */
  readonly quietMs: number | null;
}

/** A command that an outside client wants to have run in a person's terminal. Numbers out of range are clamped. */
export interface ExecInput {
  readonly terminalId: string;
  readonly cmd: string;
  /** Refused unless the shell stands there. */
  readonly expectedCwd?: string;
  /** Runs there, in a subshell: the person's own folder stays what it is. */
  readonly cwd?: string;
  /** The client's words, for the person. */
  readonly reason?: string;
  /** The client's own claim; a hint for people, decides nothing. */
  readonly isReadOnly?: boolean;
  readonly waitMs?: number;
  readonly queueTimeoutMs?: number;
  /** Ctrl-C after so long. */
  readonly timeoutMs?: number;
  /** The same key of the same client is the same command, run once. */
  readonly idempotencyKey?: string;
  readonly allowMultiline?: boolean;
}

/**
 * `queued`: it waits its turn. `awaiting_approval`: the person is asked. `held`: it is next, and the terminal is not idle. `submitted`: Return was
 * sent and the shell has not begun (milliseconds). The rest is how it ended; after `failed_to_start` a late beginning still makes it `running`,
 * since that is then the truth.
 */
export type ExecStatus =
  | 'queued'
  | 'awaiting_approval'
  | 'held'
  | 'submitted'
  | 'running'
  | 'completed'
  | 'interrupted'
  | 'failed_to_start'
  | 'cancelled'
  | 'denied'
  | 'expired'
  | 'unknown_end';

export interface ExecFault {
  readonly code: FaultCode;
  readonly message: string;
  readonly suggestion: string;
}

/** While the person is asked it is the policy's, which asks. */
export interface ExecDecision {
  readonly by: 'policy' | 'user';
  /** The person's, now or when they allowed it for longer; null while they have said nothing. */
  readonly choice: 'once' | 'exact' | 'prefix' | 'deny' | null;
  /** Of the policy: why it was allowed, denied or asked about. */
  readonly rule: string;
  /** The part of the command that the rule is about, where it is not all of it. */
  readonly subcommand: string | null;
}

/** One such command, at one moment. */
export interface ExecResult {
  readonly blockId: string;
  readonly terminalId: string;
  readonly client: string;
  readonly status: ExecStatus;
  /** Among those that wait for this terminal, from 1; null when it waits no more. */
  readonly position: number | null;
  /** Exactly what is, or was, typed. */
  readonly cmd: string;
  /** As the client gave it; `cmd` may stand in a subshell in another folder. */
  readonly cmdRequested: string;
  readonly reason: string | null;
  /** When it was queued, ms since 1970. */
  readonly queuedAtMs: number;
  /** From being queued until Return was sent, or until now. */
  readonly queuedMs: number;
  readonly decision: ExecDecision | null;
  /** What held it when it was looked at last. */
  readonly idleBlockers: readonly IdleReason[];
  /** Once it began. Its `cmd` is what the shell says. */
  readonly block: Block | null;
  /** Why it ended without having run. */
  readonly fault: ExecFault | null;
  /** The screen when it failed to start, a row a line. */
  readonly screen: string | null;
}
