import type { Block } from '../../contract/block.ts';
import type {
  ExecDecision,
  ExecFault,
  ExecInput,
  ExecResult,
  ExecStatus,
  IdleReason,
} from '../../contract/mcp/exec.ts';
import type { FaultCode, McpCaller } from '../../contract/mcp/mcp.ts';
import { Emitter } from '../../util/Emitter.ts';
import { checkStep, isOver, isWaiting } from './requestState.ts';

const DEFAULT_WAIT_MS = 2_000;
/** Clients give up after a minute. */
export const MAX_WAIT_MS = 55_000;
const DEFAULT_QUEUE_MS = 120_000;
const MAX_QUEUE_MS = 600_000;
const MIN_RUN_MS = 1_000;
const MAX_RUN_MS = 3_600_000;

/** A request with its numbers as they count. */
export interface ClampedRequest extends ExecInput {
  readonly waitMs: number;
  readonly queueTimeoutMs: number;
}

export function clampRequest(request: ExecInput): ClampedRequest {
  const { timeoutMs } = request;
  return {
    ...request,
    waitMs: clamp(request.waitMs ?? DEFAULT_WAIT_MS, 0, MAX_WAIT_MS),
    queueTimeoutMs: clamp(request.queueTimeoutMs ?? DEFAULT_QUEUE_MS, 0, MAX_QUEUE_MS),
    ...(timeoutMs !== undefined && { timeoutMs: clamp(timeoutMs, MIN_RUN_MS, MAX_RUN_MS) }),
  };
}

function clamp(value: number, min: number, max: number): number {
  return Number.isNaN(value) ? min : Math.min(max, Math.max(min, Math.round(value)));
}

/** One command of an outside client, from being asked for until it is over. */
export class ExecRequest {
  readonly blockId: string;
  readonly request: ClampedRequest;
  readonly caller: McpCaller;
  /** Exactly what will be typed. */
  readonly cmd: string;
  /** As the client gave it, checked. */
  readonly requested: string;
  readonly queuedAtMs: number;
  readonly queuedMonoMs: number;
  readonly #changed = new Emitter<void>();
  #status: ExecStatus = 'queued';
  decision: ExecDecision | null = null;
  blockers: readonly IdleReason[] = [];
  block: Block | null = null;
  fault: ExecFault | null = null;
  screen: string | null = null;
  sentMonoMs: number | null = null;
  /** Of what the person has approved. */
  approvedHash: string | null = null;
  /** What they chose. */
  choice: ExecDecision['choice'] = null;
  /** The person answered in the client that asked, and not in a front of ours. */
  answeredVia: 'elicitation' | null = null;
  /** Its Ctrl-C was sent. */
  isStopped = false;
  /** Nobody waits for it any more and it never ran: the same idempotency key makes a new one. */
  isAbandoned = false;

  readonly onChanged = this.#changed.on;

  constructor(spec: {
    blockId: string;
    request: ClampedRequest;
    caller: McpCaller;
    cmd: string;
    requested: string;
    now: { wallMs: number; monoMs: number };
  }) {
    this.blockId = spec.blockId;
    this.request = spec.request;
    this.caller = spec.caller;
    this.cmd = spec.cmd;
    this.requested = spec.requested;
    this.queuedAtMs = spec.now.wallMs;
    this.queuedMonoMs = spec.now.monoMs;
  }

  get status(): ExecStatus {
    return this.#status;
  }

  get isWaiting(): boolean {
    return isWaiting(this.#status);
  }

  get isOver(): boolean {
    return isOver(this.#status);
  }

  become(status: ExecStatus, fault: ExecFault | null = null): void {
    if (status !== this.#status) checkStep(this.blockId, this.#status, status);
    this.#status = status;
    this.fault = fault;
    this.#changed.fire();
  }

  hold(blockers: readonly IdleReason[]): void {
    const isSame = this.#status === 'held' && blockers.join() === this.blockers.join();
    this.blockers = blockers;
    if (!isSame) this.become('held');
  }

  view(nowMonoMs: number, position: number | null): ExecResult {
    return {
      blockId: this.blockId,
      terminalId: this.request.terminalId,
      client: this.caller.name,
      status: this.#status,
      position,
      cmd: this.cmd,
      cmdRequested: this.requested,
      reason: this.request.reason ?? null,
      queuedAtMs: this.queuedAtMs,
      queuedMs: Math.round((this.sentMonoMs ?? nowMonoMs) - this.queuedMonoMs),
      decision: this.decision,
      idleBlockers: this.#status === 'held' ? this.blockers : [],
      block: this.block,
      fault: this.fault,
      screen: this.screen,
    };
  }
}

export function faultOf(code: FaultCode, message: string, suggestion: string): ExecFault {
  return { code, message, suggestion };
}
