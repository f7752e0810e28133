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

/** Runs commands of outside clients in the person's terminals, with one queue per terminal. */
export class ExecService {
  readonly #deps: ExecDeps;
  readonly #queues = new Map<string, ExecQueue>();
  readonly #requests = new ExecRequestStore();
  readonly #interrupts: Interrupts;
  readonly #changes = new Emitter<ExecResult>();
  readonly #presence = new Emitter<string>();

  /** Fires when a command changes. */
  readonly onChange = this.#changes.on;
  /** Fires with a terminal's id when the clients' activity in it changes. */
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
   * Resolves when the command is over, or after `waitMs` with its state; with `untilAsked` also as soon as it waits for an approval. Throws a
   * ToolFault if the command is refused at once.
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

  /** The client's input for that command; null if this core does not know it or it belongs to another client. */
  requestOf(blockId: string, caller: McpCaller): ExecInput | null {
    const request = this.#requests.get(blockId);
    return request?.caller.name === caller.name ? request.input : null;
  }

  /** Continues to wait for a command after `exec` returned; null if the client does not own that command. */
  async goOn(
    blockId: string,
    caller: McpCaller,
    { waitMs, signal }: { waitMs: number; signal?: AbortSignal },
  ): Promise<ExecResult | null> {
    const request = this.#requests.get(blockId);
    if (request?.caller.name !== caller.name) return null;
    return this.#held(request, { waitMs: Math.min(MAX_WAIT_MS, waitMs), signal, untilAsked: false });
  }

  /** null if this core does not know the command or has forgotten it; the record may have it. */
  byId(blockId: string): ExecResult | null {
    const request = this.#requests.get(blockId);
    return request ? this.#view(request) : null;
  }

  /** Resolves when the command is over, or after `waitMs`. */
  async settled(blockId: string, waitMs: number, signal?: AbortSignal): Promise<ExecResult | null> {
    const request = this.#requests.get(blockId);
    if (!request) return null;
    await this.#settled(request, { waitMs: Math.min(MAX_WAIT_MS, waitMs), signal, untilAsked: false });
    return this.#view(request);
  }

  /** The commands that wait for the terminal, in order. */
  waiting(terminalId: string): readonly ExecResult[] {
    return (this.#queues.get(terminalId)?.waiting ?? []).map((request) => this.#view(request));
  }

  /** The client's commands without a block: waiting or never run. */
  unstarted(client: string): ExecResult[] {
    return this.#requests.unstarted(client).map((request) => this.#view(request));
  }

  /** The client command that runs in the terminal now. */
  running(terminalId: string): ExecResult | null {
    const request = this.#queues.get(terminalId)?.running;
    return request ? this.#view(request) : null;
  }

  idleOf(terminalId: string): Promise<IdleReport> {
    return this.#queueOf(this.#terminal(terminalId)).idle();
  }

  /** Removes a waiting command from the queue, or presses Ctrl-C for a running one. Throws a ToolFault if the client may not. */
  interrupt(which: InterruptTarget, caller: McpCaller, how: InterruptHow): Promise<Interrupted> {
    return this.#interrupts.interrupt(which, caller, how);
  }

  /** Called for the person: removes a command from the queue. False if it no longer waits. */
  cancel(blockId: string): boolean {
    const request = this.#requests.get(blockId);
    if (!request?.isWaiting) return false;
    this.#queues
      .get(request.input.terminalId)
      ?.cancel(request, { code: 'DENIED_BY_USER', message: 'the person took it out', suggestion: 'do not ask again' });
    return true;
  }

  /** Call when the terminal is closed. */
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
      this.#checkRoom(queue); // other commands may have been queued while the screen was read
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

  /** Waits on behalf of a call; when the call is aborted, the command is abandoned too. */
  async #held(request: ExecRequest, until: Until): Promise<ExecResult> {
    await this.#settled(request, until);
    if (until.signal?.aborted) this.#abandon(request);
    return this.#view(request);
  }

  /** Cancels the command if it was not sent yet, because its caller has gone. */
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

/** A new command has no approval yet, so authorize cannot report one as void. */
const NEVER = { rule: 'default', reason: 'it was not approved', subcommand: null };
