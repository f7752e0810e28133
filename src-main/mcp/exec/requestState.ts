import type { Block } from '../../contract/block.ts';
import type { ExecStatus } from '../../contract/mcp/exec.ts';

const WAITS = ['queued', 'awaiting_approval', 'held'] as const;
const ENDS_UNRUN = ['failed_to_start', 'cancelled', 'denied', 'expired'] as const;
const ENDS_RUN = ['completed', 'interrupted', 'unknown_end'] as const;

/** What may become of what. A command goes only forward; the one exception is a beginning that came after we had given up on it. */
const MAY_BECOME: Readonly<Record<ExecStatus, readonly ExecStatus[]>> = {
  queued: ['awaiting_approval', 'held', 'submitted', ...ENDS_UNRUN],
  awaiting_approval: ['queued', ...ENDS_UNRUN],
  held: ['awaiting_approval', 'submitted', ...ENDS_UNRUN],
  submitted: ['running', 'failed_to_start'],
  running: ENDS_RUN,
  failed_to_start: ['running'],
  completed: [],
  interrupted: [],
  cancelled: [],
  denied: [],
  expired: [],
  unknown_end: [],
};

/** Throws for a step that there is not: a bug. */
export function checkStep(blockId: string, from: ExecStatus, to: ExecStatus): void {
  if (!MAY_BECOME[from].includes(to)) throw new Error(`command "${blockId}" cannot go from ${from} to ${to}`);
}

export function isWaiting(status: ExecStatus): boolean {
  return (WAITS as readonly ExecStatus[]).includes(status);
}

export function isOver(status: ExecStatus): boolean {
  return ([...ENDS_UNRUN, ...ENDS_RUN] as readonly ExecStatus[]).includes(status);
}

/** How a command ended whose block has ended. `isStopped`: we had sent its Ctrl-C. */
export function statusOfBlock({ status, signal }: Block, isStopped: boolean): ExecStatus {
  if (status === 'completed') return isStopped && signal === 'SIGINT' ? 'interrupted' : 'completed';
  return status === 'interrupted' ? 'interrupted' : 'unknown_end';
}
