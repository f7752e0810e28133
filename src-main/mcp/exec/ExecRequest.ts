import type { ExecInput, ExecResult, ExecStatus } from '../../contract/mcp/exec.ts';
import type { McpCaller } from '../../contract/mcp/mcp.ts';
import { Emitter } from '../../util/Emitter.ts';
import {
  isOver,
  isWaiting,
  NEW_REQUEST,
  type RequestEvent,
  type RequestState,
  reduceRequest,
} from './reduceRequest.ts';

const DEFAULT_WAIT_MS = 2_000;
/** Below the 60 s after which clients give up. */
export const MAX_WAIT_MS = 55_000;
const DEFAULT_QUEUE_MS = 120_000;
const MAX_QUEUE_MS = 600_000;
const MIN_RUN_MS = 1_000;
const MAX_RUN_MS = 3_600_000;

/** A request with defaults applied and numbers clamped. */
export interface ClampedInput extends ExecInput {
  readonly waitMs: number;
  readonly queueTimeoutMs: number;
}

export function clampInput(input: ExecInput): ClampedInput {
  const { timeoutMs } = input;
  return {
    ...input,
    waitMs: clamp(input.waitMs ?? DEFAULT_WAIT_MS, 0, MAX_WAIT_MS),
    queueTimeoutMs: clamp(input.queueTimeoutMs ?? DEFAULT_QUEUE_MS, 0, MAX_QUEUE_MS),
    ...(timeoutMs !== undefined && { timeoutMs: clamp(timeoutMs, MIN_RUN_MS, MAX_RUN_MS) }),
  };
}

function clamp(value: number, min: number, max: number): number {
  return Number.isNaN(value) ? min : Math.min(max, Math.max(min, Math.round(value)));
}

/** One command of an MCP client, from the call to its end. Only `reduceRequest` changes its state. */
export class ExecRequest {
  readonly blockId: string;
  readonly input: ClampedInput;
  readonly caller: McpCaller;
  /** The exact text to type. */
  readonly cmd: string;
  /** The command as the client gave it, checked. */
  readonly requested: string;
  readonly #queued: { readonly wallMs: number; readonly monoMs: number };
  readonly #changed = new Emitter<void>();
  #state = NEW_REQUEST;

  /** Fires when the status or the reason for holding it changes. */
  readonly onChanged = this.#changed.on;

  constructor(spec: {
    blockId: string;
    input: ClampedInput;
    caller: McpCaller;
    cmd: string;
    requested: string;
    now: { wallMs: number; monoMs: number };
  }) {
    this.blockId = spec.blockId;
    this.input = spec.input;
    this.caller = spec.caller;
    this.cmd = spec.cmd;
    this.requested = spec.requested;
    this.#queued = spec.now;
  }

  get state(): RequestState {
    return this.#state;
  }

  get status(): ExecStatus {
    return this.#state.status;
  }

  get isWaiting(): boolean {
    return isWaiting(this.status);
  }

  get isOver(): boolean {
    return isOver(this.status);
  }

  /** Throws for an event that is impossible in the current state: a bug. */
  apply(event: RequestEvent): void {
    const { status, blockers } = this.#state;
    this.#state = reduceRequest(this.#state, event);
    if (this.#state.status !== status || this.#state.blockers !== blockers) this.#changed.fire();
  }

  view(nowMonoMs: number, position: number | null): ExecResult {
    const { status, decision, blockers, block, fault, screen, sentMonoMs } = this.#state;
    return {
      ...{ status, position, decision, block, fault, screen },
      blockId: this.blockId,
      terminalId: this.input.terminalId,
      client: this.caller.name,
      cmd: this.cmd,
      cmdRequested: this.requested,
      reason: this.input.reason ?? null,
      queuedAtMs: this.#queued.wallMs,
      queuedMs: Math.round((sentMonoMs ?? nowMonoMs) - this.#queued.monoMs),
      idleBlockers: status === 'held' ? blockers : [],
    };
  }
}
