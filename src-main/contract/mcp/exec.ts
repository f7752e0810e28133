import type { Block } from '../block.ts';
import type { FaultCode } from './mcp.ts';

/** Reason why a command cannot be typed into a terminal now. */
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
  /** Empty if it is idle. */
  readonly reasons: readonly IdleReason[];
  /** Time since the person's last relevant key; null if there was none. */
  readonly quietMs: number | null;
}

/** A command that a client wants to run in a person's terminal. Numbers out of range are clamped. */
export interface ExecInput {
  readonly terminalId: string;
  readonly cmd: string;
  /** Refuses unless the shell's working directory is this one. */
  readonly expectedCwd?: string;
  /** Runs there, in a subshell: the shell's own working directory stays. */
  readonly cwd?: string;
  /** The client's reason, for the person. */
  readonly reason?: string;
  /** The client's claim, shown to people; it has no effect. */
  readonly isReadOnly?: boolean;
  readonly waitMs?: number;
  readonly queueTimeoutMs?: number;
  /** Sends Ctrl-C after this time. */
  readonly timeoutMs?: number;
  /** Equal keys of one client mean the same command, run once. */
  readonly idempotencyKey?: string;
  readonly allowMultiline?: boolean;
}

/**
 * `queued`: it waits its turn. `awaiting_approval`: the person is asked. `held`: it is next, and the terminal is not idle. `submitted`: Return was
 * sent and the shell has not begun (milliseconds). The others are ends; a late start still changes `failed_to_start` to `running`,
 * because that is true then.
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

/** While the person is asked, `by` is `policy`. */
export interface ExecDecision {
  readonly by: 'policy' | 'user';
  /** The person's choice, now or when they allowed it for longer; null before an answer. */
  readonly choice: 'once' | 'exact' | 'prefix' | 'deny' | null;
  /** Rule of the policy that allowed, denied or asked. */
  readonly rule: string;
  /** The part of the command that the rule concerns, if not all of it. */
  readonly subcommand: string | null;
}

/** The state of a client's command at one moment. */
export interface ExecResult {
  readonly blockId: string;
  readonly terminalId: string;
  readonly client: string;
  readonly status: ExecStatus;
  /** Position in this terminal's queue, from 1; null when it no longer waits. */
  readonly position: number | null;
  /** The exact text that is or was typed. */
  readonly cmd: string;
  /** The client's text; `cmd` may wrap it in a subshell in another folder. */
  readonly cmdRequested: string;
  readonly reason: string | null;
  /** Time of queueing, ms since 1970. */
  readonly queuedAtMs: number;
  /** Time from queueing until Return was sent, or until now. */
  readonly queuedMs: number;
  readonly decision: ExecDecision | null;
  /** The last known reasons for holding it. */
  readonly idleBlockers: readonly IdleReason[];
  /** Present once it has begun. Its `cmd` is the shell's text. */
  readonly block: Block | null;
  /** Reason why it ended without running. */
  readonly fault: ExecFault | null;
  /** The screen when it failed to start, one line per row. */
  readonly screen: string | null;
}
