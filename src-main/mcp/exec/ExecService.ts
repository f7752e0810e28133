import type { ExecInput, ExecResult, IdleReport } from '../../contract/mcp/exec.ts';
import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { AuditEntry } from '../../store/audit/auditLog.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import { Emitter } from '../../util/Emitter.ts';
import type { KeyedQueue } from '../../util/KeyedQueue.ts';
import type { Log } from '../../util/Log.ts';
import type { ApprovalQueue } from '../access/ApprovalQueue.ts';
import { authorize } from '../access/Authority.ts';
import type { ExecPolicy } from '../access/ExecPolicy.ts';
import { deniedBy, faults, thrown } from '../protocol/execFaults.ts';
import { checkRequest } from './checkRequest.ts';
import { ExecQueue } from './ExecQueue.ts';
import { type ClampedInput, clampInput, type ExecRequest, MAX_WAIT_MS } from './ExecRequest.ts';
import { ExecRequestStore } from './ExecRequestStore.ts';
import { decidedEntry, refusedEntry } from './execEntries.ts';
import {
  type InterruptDeps,
  type Interrupted,
  type InterruptHow,
  Interrupts,
  type InterruptTarget,
} from './Interrupts.ts';
import type { TaintedShells } from './TaintedShells.ts';

export interface ExecDeps extends Pick<InterruptDeps, 'press'> {
  readonly clock: Clock;
  readonly log: Log;
  readonly randomId: (bytes: number) => string;
  readonly approvals: ApprovalQueue;
  readonly turns: KeyedQueue;
  readonly shells: TaintedShells;
  policy(): ExecPolicy;
  terminal(id: string): PtyInstance | undefined;
  audit(entry: AuditEntry): void;
}

/** How long a call waits for its command. */
interface Until {
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
  readonly untilAsked: boolean;
}

/** Commands that outside clients want to have run in the person's terminals: one queue for each terminal. */
export class ExecService {
  readonly #deps: ExecDeps;
  readonly #queues = new Map<string, ExecQueue>();
  readonly #requests = new ExecRequestStore();
  readonly #interrupts: Interrupts;
  readonly #changes = new Emitter<ExecResult>();
  readonly #presence = new Emitter<string>();

  /** A command is not as it was. */
  readonly onChange = this.#changes.on;
  /** What clients do in the terminal of that id is not as it was. */
  readonly onPresence = this.#presence.on;

  constructor(deps: ExecDeps) {
    this.#deps = deps;
    this.#interrupts = new Interrupts({
      ...deps,
      request: (blockId) => this.#requests.get(blockId),
      queue: (terminalId) => this.#queues.get(terminalId),
    });
  }

  /**
   * Resolves when it is over, or after `waitMs` with what it is then; with `untilAsked` also as soon as it waits for the person's word. Throws a
   * ToolFault where it is refused at once.
   */
  async exec(
    asked: ExecInput,
    caller: McpCaller,
    signal?: AbortSignal,
    { untilAsked = false } = {},
  ): Promise<ExecResult> {
    const input = clampInput(asked);
    try {
      const request = this.#requests.known(input, caller) ?? (await this.#queue(input, caller, signal));
      return await this.#held(request, { waitMs: input.waitMs, signal, untilAsked });
    } catch (error) {
      if (error instanceof ToolFault) this.#deps.audit(refusedEntry(asked, caller, error));
      throw error;
    }
  }

  /** What the client asked for under that id; null when this core does not know it, or not of this client. */
  requestOf(blockId: string, caller: McpCaller): ExecInput | null {
    const request = this.#requests.get(blockId);
    return request?.caller.name === caller.name ? request.input : null;
  }

  /** Goes on with a call of the client's own that `exec` came back from; null when there is no such command of it. */
  async goOn(
    blockId: string,
    caller: McpCaller,
    { waitMs, signal }: { waitMs: number; signal?: AbortSignal },
  ): Promise<ExecResult | null> {
    const request = this.#requests.get(blockId);
    if (request?.caller.name !== caller.name) return null;
    return this.#held(request, { waitMs: Math.min(MAX_WAIT_MS, waitMs), signal, untilAsked: false });
  }

  /** null for one that this core does not know, or not any more: look in the record. */
  byId(blockId: string): ExecResult | null {
    const request = this.#requests.get(blockId);
    return request ? this.#view(request) : null;
  }

  /** Resolves when it is over, or after `waitMs`. */
  async settled(blockId: string, waitMs: number, signal?: AbortSignal): Promise<ExecResult | null> {
    const request = this.#requests.get(blockId);
    if (!request) return null;
    await this.#settled(request, { waitMs: Math.min(MAX_WAIT_MS, waitMs), signal, untilAsked: false });
    return this.#view(request);
  }

  /** Those that wait for the terminal, in their order. */
  waiting(terminalId: string): readonly ExecResult[] {
    return (this.#queues.get(terminalId)?.waiting ?? []).map((request) => this.#view(request));
  }

  /** The client's commands without a block: those that wait and those that never ran. */
  unstarted(client: string): ExecResult[] {
    return this.#requests.unstarted(client).map((request) => this.#view(request));
  }

  /** The client's command that runs there now. */
  running(terminalId: string): ExecResult | null {
    const request = this.#queues.get(terminalId)?.running;
    return request ? this.#view(request) : null;
  }

  idleOf(terminalId: string): Promise<IdleReport> {
    return this.#queueOf(this.#terminal(terminalId)).idle();
  }

  /** Takes a waiting command out, or presses Ctrl-C for a running one. Throws a ToolFault where the client may not. */
  interrupt(which: InterruptTarget, caller: McpCaller, how: InterruptHow): Promise<Interrupted> {
    return this.#interrupts.interrupt(which, caller, how);
  }

  /** By the person: takes one out of the queue. False when it does not wait any more. */
  cancel(blockId: string): boolean {
    const request = this.#requests.get(blockId);
    if (!request?.isWaiting) return false;
    this.#queues
      .get(request.input.terminalId)
      ?.cancel(request, { code: 'DENIED_BY_USER', message: 'the person took it out', suggestion: 'do not ask again' });
    return true;
  }

  /** The terminal is closed. */
  forget(terminalId: string): void {
    this.#queues.get(terminalId)?.dispose();
    this.#queues.delete(terminalId);
    this.#presence.fire(terminalId);
  }

  dispose(): void {
    for (const id of [...this.#queues.keys()]) this.forget(id);
    this.#changes.dispose();
    this.#presence.dispose();
  }

  async #queue(input: ClampedInput, caller: McpCaller, signal: AbortSignal | undefined): Promise<ExecRequest> {
    const terminal = this.#terminal(input.terminalId);
    const { requested, cmd } = checkRequest(input, caller, terminal);
    const queue = this.#queueOf(terminal);
    this.#checkRoom(queue);
    const request = this.#newRequest(input, caller, { requested, cmd });
    try {
      const wanted = { caller, cmd, requested, approvedHash: null, cwd: input.cwd ?? null };
      const verdict = await authorize(wanted, terminal, {
        policy: this.#deps.policy(),
        approvals: this.#deps.approvals,
        shells: this.#deps.shells,
      });
      if (verdict.type === 'denied' || verdict.type === 'void') {
        throw deniedBy(verdict.type === 'denied' ? verdict.judgement : NEVER);
      }
      signal?.throwIfAborted();
      this.#checkRoom(queue); // others may have come while the screen was read
      queue.add(request, verdict);
    } catch (error) {
      this.#requests.forget(request);
      throw error;
    }
    return request;
  }

  #checkRoom(queue: ExecQueue): void {
    if (queue.waiting.length >= this.#deps.policy().policy.limits.queue_len)
      throw new ToolFault('BUSY', 'too many commands wait for this terminal', 'wait for them (blocks_get)', {
        retryAfterMs: 5_000,
      });
  }

  #newRequest(input: ClampedInput, caller: McpCaller, text: { requested: string; cmd: string }): ExecRequest {
    const { clock, randomId } = this.#deps;
    const now = { wallMs: clock.nowMs(), monoMs: clock.monotonicMs() };
    const request = this.#requests.add({ blockId: `q-${randomId(6)}`, input, caller, ...text, now });
    request.onChanged(() => this.#changes.fire(this.#view(request)));
    return request;
  }

  /** While a call is about it: when the call is given up, so is the command. */
  async #held(request: ExecRequest, until: Until): Promise<ExecResult> {
    await this.#settled(request, until);
    if (until.signal?.aborted) this.#abandon(request);
    return this.#view(request);
  }

  /** Its caller has gone: what was not sent is not sent any more. */
  #abandon(request: ExecRequest): void {
    if (!request.isWaiting) return;
    request.apply({ type: 'abandoned' });
    this.#queues.get(request.input.terminalId)?.cancel(request, null);
  }

  #settled(request: ExecRequest, { waitMs, signal, untilAsked }: Until): Promise<void> {
    const isMet = (): boolean => request.isOver || (untilAsked && request.status === 'awaiting_approval');
    if (isMet() || waitMs <= 0 || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = (): void => {
        timer.dispose();
        listening.dispose();
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const timer = this.#deps.clock.after(waitMs, stop);
      const listening = request.onChanged(() => isMet() && stop());
      signal?.addEventListener('abort', stop);
    });
  }

  #view(request: ExecRequest): ExecResult {
    const position = this.#queues.get(request.input.terminalId)?.positionOf(request) ?? null;
    return request.view(this.#deps.clock.monotonicMs(), position);
  }

  #queueOf(terminal: PtyInstance): ExecQueue {
    const known = this.#queues.get(terminal.id);
    if (known) return known;
    const queue = new ExecQueue(terminal, {
      ...this.#deps,
      policy: () => this.#deps.policy(),
      decided: (request, decision, rule) => this.#deps.audit(decidedEntry(request, decision, rule)),
      changed: () => this.#presence.fire(terminal.id),
    });
    this.#queues.set(terminal.id, queue);
    return queue;
  }

  #terminal(id: string): PtyInstance {
    const terminal = this.#deps.terminal(id);
    if (!terminal) throw thrown(faults.gone(id));
    return terminal;
  }
}

/** A new command was approved by nobody, so nothing of it can be void. */
const NEVER = { rule: 'default', reason: 'it was not approved', subcommand: null };
