import type { Block } from '../../contract/block.ts';
import type { ExecDecision, ExecFault, ExecStatus, IdleReason } from '../../contract/mcp/exec.ts';

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

/** All that changes about one command of an outside client. */
export interface RequestState {
  readonly status: ExecStatus;
  readonly decision: ExecDecision | null;
  /** Why it is held. */
  readonly blockers: readonly IdleReason[];
  readonly block: Block | null;
  readonly fault: ExecFault | null;
  /** What the terminal showed when the command did not start. */
  readonly screen: string | null;
  /** When Return was sent, by the monotonic clock. */
  readonly sentMonoMs: number | null;
  /** What the person approved, and for how long; null while they have approved nothing. */
  readonly approval: { readonly hash: string; readonly choice: ExecDecision['choice'] } | null;
  /** The person answered in the client that asked, and not in a front of ours. */
  readonly answeredVia: AnsweredVia;
  /** Its Ctrl-C was sent. */
  readonly isStopped: boolean;
  /** Nobody waits for it any more and it never ran: the same idempotency key makes a new one. */
  readonly isAbandoned: boolean;
}

type AnsweredVia = 'elicitation' | null;
type PolicyRule = Pick<ExecDecision, 'rule' | 'subcommand'>;

/** What happens to a command. */
export type RequestEvent =
  /** The policy wants the person's word. */
  | ({ readonly type: 'asked' } & PolicyRule)
  | {
      readonly type: 'approved';
      readonly hash: string;
      readonly choice: ExecDecision['choice'];
      readonly via: AnsweredVia;
    }
  | { readonly type: 'declined'; readonly fault: ExecFault; readonly via: AnsweredVia }
  | ({ readonly type: 'refused'; readonly fault: ExecFault } & PolicyRule)
  /** It is next, and the terminal is not idle. */
  | { readonly type: 'held'; readonly blockers: readonly IdleReason[] }
  /** Return was sent. */
  | { readonly type: 'sent'; readonly decision: ExecDecision; readonly monoMs: number }
  | { readonly type: 'began' | 'changed' | 'ended'; readonly block: Block }
  | { readonly type: 'cancelled'; readonly fault: ExecFault | null }
  | { readonly type: 'expired'; readonly fault: ExecFault }
  /** It was not sent, or it was and no command began. */
  | { readonly type: 'failed'; readonly fault: ExecFault; readonly screen: string | null }
  | { readonly type: 'stopped' | 'abandoned' };

/** What the audit calls the end of a command that did not run. */
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

/** The state after `event`; the same object when nothing changed. Throws for a step that there is not: a bug. */
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

/** Of a command that was asked about: the policy's rule stays named beside the person's word. */
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

/** How a command ended whose block has ended. `isStopped`: we had sent its Ctrl-C. */
export function statusOfBlock({ status, signal }: Pick<Block, 'status' | 'signal'>, isStopped: boolean): ExecStatus {
  if (status === 'completed') return isStopped && signal === 'SIGINT' ? 'interrupted' : 'completed';
  return status === 'interrupted' ? 'interrupted' : 'unknown_end';
}
