import type { Block } from '../../contract/block.ts';
import type { ExecDecision, ExecFault, ExecStatus, IdleReason } from '../../contract/mcp/exec.ts';

const WAITS = ['queued', 'awaiting_approval', 'held'] as const;
const ENDS_UNRUN = ['failed_to_start', 'cancelled', 'denied', 'expired'] as const;
const ENDS_RUN = ['completed', 'interrupted', 'unknown_end'] as const;

/** Allowed status changes. A command only moves forward, with one exception: it may begin after we gave up on it. */
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

/** The changing part of one command of an MCP client. */
export interface RequestState {
  readonly status: ExecStatus;
  readonly decision: ExecDecision | null;
  /** Reasons why the command is held. */
  readonly blockers: readonly IdleReason[];
  readonly block: Block | null;
  readonly fault: ExecFault | null;
  /** Screen text at the moment when the command failed to start. */
  readonly screen: string | null;
  /** Monotonic time of Return. */
  readonly sentMonoMs: number | null;
  /** The person's approval, or null. */
  readonly approval: { readonly hash: string; readonly choice: ExecDecision['choice'] } | null;
  /** Set if the person answered in the client that asked, and not in one of our fronts. */
  readonly answeredVia: AnsweredVia;
  /** Ctrl-C was sent for it. */
  readonly isStopped: boolean;
  /** The caller left before it ran, so the same idempotency key makes a new request. */
  readonly isAbandoned: boolean;
}

type AnsweredVia = 'elicitation' | null;
type PolicyRule = Pick<ExecDecision, 'rule' | 'subcommand'>;

/** What happens to a command. */
export type RequestEvent =
  /** The policy requires an approval. */
  | ({ readonly type: 'asked' } & PolicyRule)
  | {
      readonly type: 'approved';
      readonly hash: string;
      readonly choice: ExecDecision['choice'];
      readonly via: AnsweredVia;
    }
  | { readonly type: 'declined'; readonly fault: ExecFault; readonly via: AnsweredVia }
  | ({ readonly type: 'refused'; readonly fault: ExecFault } & PolicyRule)
  /** The command is next, but the terminal is not idle. */
  | { readonly type: 'held'; readonly blockers: readonly IdleReason[] }
  /** Return was sent. */
  | { readonly type: 'sent'; readonly decision: ExecDecision; readonly monoMs: number }
  | { readonly type: 'began' | 'changed' | 'ended'; readonly block: Block }
  | { readonly type: 'cancelled'; readonly fault: ExecFault | null }
  | { readonly type: 'expired'; readonly fault: ExecFault }
  /** The command could not be sent, or it was sent and did not begin. */
  | { readonly type: 'failed'; readonly fault: ExecFault; readonly screen: string | null }
  | { readonly type: 'stopped' | 'abandoned' };

/** Audit decision for each event that ends a command before it runs. */
export const ENDINGS = {
  refused: 'denied',
  declined: 'denied',
  cancelled: 'cancelled',
  expired: 'expired',
  failed: 'refused',
} as const;

export const NEW_REQUEST: RequestState = {
  status: 'queued',
  decision: null,
  blockers: [],
  block: null,
  fault: null,
  screen: null,
  sentMonoMs: null,
  approval: null,
  answeredVia: null,
  isStopped: false,
  isAbandoned: false,
};

/** Returns the state after `event`, or the same object if nothing changed. Throws for an impossible event, which is a bug. */
export function reduceRequest(state: RequestState, event: RequestEvent): RequestState {
  switch (event.type) {
    case 'asked':
      return step(state, 'awaiting_approval', { decision: byPolicy(event) });
    case 'approved': {
      const { hash, choice, via } = event;
      return step(state, 'queued', { approval: { hash, choice }, answeredVia: via, decision: byUser(state, choice) });
    }
    case 'declined':
      return step(state, 'denied', { fault: event.fault, answeredVia: event.via, decision: byUser(state, 'deny') });
    case 'refused':
      return step(state, 'denied', { fault: event.fault, decision: byPolicy(event) });
    case 'held': {
      const isSame = state.status === 'held' && state.blockers.join() === event.blockers.join();
      return isSame ? state : step(state, 'held', { blockers: event.blockers });
    }
    case 'sent':
      return step(state, 'submitted', { decision: event.decision, sentMonoMs: event.monoMs });
    case 'began':
      return step(state, 'running', { block: event.block, screen: null });
    case 'changed':
      return { ...state, block: event.block };
    case 'ended':
      return step(state, statusOfBlock(event.block, state.isStopped), { block: event.block });
    case 'cancelled':
    case 'expired':
      return step(state, event.type, { fault: event.fault });
    case 'failed':
      return step(state, 'failed_to_start', { fault: event.fault, screen: event.screen });
    case 'stopped':
      return { ...state, isStopped: true };
    case 'abandoned':
      return { ...state, isAbandoned: true };
  }
}

function step(state: RequestState, status: ExecStatus, change: Partial<RequestState>): RequestState {
  if (status !== state.status && !MAY_BECOME[state.status].includes(status))
    throw new Error(`a command cannot go from ${state.status} to ${status}`);
  return { ...state, fault: null, ...change, status };
}

function byPolicy({ rule, subcommand }: PolicyRule): ExecDecision {
  return { by: 'policy', choice: null, rule, subcommand };
}

/** The person's decision, with the policy rule that asked for it. */
export function byUser({ decision }: RequestState, choice: ExecDecision['choice']): ExecDecision {
  const { rule, subcommand } = decision ?? { rule: 'default', subcommand: null };
  return { by: 'user', choice, rule, subcommand };
}

export function isWaiting(status: ExecStatus): boolean {
  return (WAITS as readonly ExecStatus[]).includes(status);
}

export function isOver(status: ExecStatus): boolean {
  return ([...ENDS_UNRUN, ...ENDS_RUN] as readonly ExecStatus[]).includes(status);
}

/** The status of a command whose block ended. `isStopped`: we sent its Ctrl-C. */
export function statusOfBlock({ status, signal }: Pick<Block, 'status' | 'signal'>, isStopped: boolean): ExecStatus {
  if (status === 'completed') return isStopped && signal === 'SIGINT' ? 'interrupted' : 'completed';
  return status === 'interrupted' ? 'interrupted' : 'unknown_end';
}
