import type { BlockChange } from '../../contract/api.ts';
import type { AuditLine } from '../../contract/mcp/audit.ts';
import type { ExecDecision, ExecFault, IdleReason, IdleReport } from '../../contract/mcp/exec.ts';
import { actorOf } from '../../contract/mcp/mcp.ts';
import { approvalPrefix } from '../../policy/approvalPrefix.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import { Disposables, type IDisposable } from '../../util/Disposables.ts';
import type { KeyedQueue } from '../../util/KeyedQueue.ts';
import type { Log } from '../../util/Log.ts';
import type { ApprovalOutcome, ApprovalQueue } from '../access/ApprovalQueue.ts';
import { type AuthorityVerdict, authorize } from '../access/Authority.ts';
import type { ExecPolicy } from '../access/ExecPolicy.ts';
import { faultOfBlockers, faults } from '../protocol/execFaults.ts';
import type { ExecRequest } from './ExecRequest.ts';
import { type LineOutcome, LineWriter } from './LineWriter.ts';
import { PromptReadiness } from './PromptReadiness.ts';
import { RetryScheduler } from './RetryScheduler.ts';
import { statusOfBlock } from './requestState.ts';
import type { TaintedShells } from './TaintedShells.ts';

const INTERRUPT = '\x03';
const MIN_RETRY_MS = 10;
/** From Return until a shell has told of a command, forked and given it the terminal. */
const STARTED_MS = 400;

export interface QueueDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly approvals: ApprovalQueue;
  readonly turns: KeyedQueue;
  readonly shells: TaintedShells;
  policy(): ExecPolicy;
  /** What became of a command, for the audit. */
  decided(ticket: ExecRequest, decision: AuditLine['decision'], rule: string | null): void;
  changed(): void;
}

type Allowed = Extract<AuthorityVerdict, { type: 'allowed' }>;

/**
 * Commands of outside clients that wait for one terminal. Those of one client run in their order; one that waits for the person's word holds up
 * only its own client. Nothing is ever sent twice.
 */
export class ExecQueue implements IDisposable {
  readonly #terminal: PtyInstance;
  readonly #deps: QueueDeps;
  readonly #gate: PromptReadiness;
  readonly #writer: LineWriter;
  readonly #owned = new Disposables();
  readonly #pace: RetryScheduler;
  readonly #timers = new Map<ExecRequest, IDisposable>();
  #waiting: ExecRequest[] = [];
  /** Return was sent: the block of that id is its own, whenever it begins. */
  readonly #sent = new Map<string, ExecRequest>();
  #isPumping = false;
  #isPokedMeanwhile = false;

  constructor(terminal: PtyInstance, deps: QueueDeps) {
    this.#terminal = terminal;
    this.#deps = deps;
    this.#gate = new PromptReadiness(terminal, deps.clock);
    this.#writer = new LineWriter(terminal, this.#gate, deps.clock);
    this.#pace = this.#owned.add(new RetryScheduler(deps.clock, () => this.#pump()));
    this.#owned.add(terminal.book.onChange((change) => this.#heard(change)));
    this.#owned.add(terminal.onChanged(() => this.#terminalChanged()));
  }

  get length(): number {
    return this.#waiting.length;
  }

  get waiting(): readonly ExecRequest[] {
    return this.#waiting;
  }

  /** The one that runs now, if it is a client's. */
  get running(): ExecRequest | null {
    const { runningId } = this.#terminal.book;
    return runningId === null ? null : (this.#sent.get(runningId) ?? null);
  }

  positionOf(ticket: ExecRequest): number | null {
    const at = this.#waiting.indexOf(ticket);
    return at < 0 ? null : at + 1;
  }

  async idle(): Promise<IdleReport> {
    return (await this.#gate.look(this.#holdMs)).report;
  }

  /** `verdict`: what was said of it when it was asked for. */
  add(ticket: ExecRequest, verdict: Extract<AuthorityVerdict, { type: 'allowed' | 'ask' }>): void {
    this.#waiting.push(ticket);
    const { queueTimeoutMs } = ticket.request;
    this.#timers.set(
      ticket,
      this.#deps.clock.after(queueTimeoutMs, () => this.#expire(ticket)),
    );
    if (verdict.type === 'ask') this.#ask(ticket, verdict);
    this.#deps.changed();
    this.poke();
  }

  /** Ends it if it has not been sent: nobody wants it any more. */
  cancel(ticket: ExecRequest, fault: ExecFault | null): void {
    if (ticket.isWaiting) this.#end(ticket, 'cancelled', { fault, rule: fault?.code ?? null });
  }

  /** Ctrl-C, as the person would press it, once the shell has started the program: before that it would be lost. */
  stop(ticket: ExecRequest): void {
    if (ticket.isStopped) return;
    ticket.isStopped = true;
    const sinceMs = this.#deps.clock.monotonicMs() - (ticket.sentMonoMs ?? 0);
    this.#timers.get(ticket)?.dispose();
    this.#timers.set(
      ticket,
      this.#deps.clock.after(Math.max(0, STARTED_MS - sinceMs), () => {
        if (this.running === ticket) this.#terminal.type(INTERRUPT, actorOf(ticket.caller));
      }),
    );
  }

  /** Something has changed that may let the next one go. */
  poke(): void {
    this.#pace.soon();
  }

  dispose(): void {
    for (const ticket of [...this.#waiting]) this.cancel(ticket, faults.gone(this.#terminal.id));
    for (const timer of this.#timers.values()) timer.dispose();
    this.#owned.dispose();
  }

  get #holdMs(): number {
    return this.#deps.policy().policy.input.typing_hold_ms;
  }

  #pump(): void {
    this.#isPokedMeanwhile = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    void this.#run()
      .catch((error: unknown) => {
        // The terminal was closed under us: its screen answers no more. What waits is ended by `dispose`.
        this.#deps.log('exec_failed', { terminalId: this.#terminal.id, reason: String(error) });
      })
      .finally(() => {
        this.#isPumping = false;
      });
  }

  async #run(): Promise<void> {
    while (this.#isPokedMeanwhile) {
      this.#isPokedMeanwhile = false;
      for (let ticket = this.#next(); ticket; ticket = this.#next()) {
        const blockers = await this.#try(ticket);
        if (!blockers) continue;
        if (ticket.isWaiting) ticket.hold(blockers);
        this.#deps.changed();
        this.#retryLater(blockers);
        break;
      }
    }
  }

  /** The first that waits for the terminal only, and for no earlier one of its client. */
  #next(): ExecRequest | undefined {
    return this.#waiting.find(
      (ticket, at) =>
        ticket.status !== 'awaiting_approval' &&
        !this.#waiting.slice(0, at).some(({ caller }) => caller.name === ticket.caller.name),
    );
  }

  /** What blocks it, or null when it waits no more (or waits for the person's word). */
  async #try(ticket: ExecRequest): Promise<readonly IdleReason[] | null> {
    const { caller, cmd, requested, approvedHash, request } = ticket;
    const wanted = { caller, cmd, requested, approvedHash, cwd: request.cwd ?? null };
    const { approvals, shells } = this.#deps;
    const verdict = await authorize(wanted, this.#terminal, { policy: this.#deps.policy(), approvals, shells });
    if (!ticket.isWaiting) return null;
    const { expectedCwd } = request;
    if (expectedCwd !== undefined && expectedCwd !== this.#terminal.view.cwd) {
      this.cancel(ticket, faults.cwd(expectedCwd, this.#terminal.view.cwd));
      return null;
    }
    switch (verdict.type) {
      case 'denied': {
        const { rule, reason, subcommand } = verdict.judgement;
        ticket.decision = { by: 'policy', choice: null, rule, subcommand };
        this.#end(ticket, 'denied', { fault: faults.policy(rule, reason), rule });
        return null;
      }
      case 'void':
        this.cancel(ticket, faults.approvedElsewhere(verdict.bound.cwd));
        return null;
      case 'ask':
        this.#ask(ticket, verdict);
        return null;
      case 'allowed':
        return this.#deps.turns.run(this.#terminal.id, () => this.#submit(ticket, verdict));
    }
  }

  async #submit(ticket: ExecRequest, { decision, bound, words }: Allowed): Promise<readonly IdleReason[] | null> {
    if (!ticket.isWaiting) return null;
    const outcome = await this.#writer.send({
      cmd: ticket.cmd,
      blockId: ticket.blockId,
      actor: actorOf(ticket.caller),
      typingHoldMs: this.#holdMs,
      isStillAllowed: () => {
        const isSameShell = words !== null && this.#terminal.words === words;
        return ticket.isWaiting && this.#terminal.view.cwd === bound.cwd && (decision.by === 'user' || isSameShell);
      },
      returning: () => this.#returning(ticket, decision),
    });
    return this.#took(ticket, outcome);
  }

  async #took(ticket: ExecRequest, outcome: LineOutcome): Promise<readonly IdleReason[] | null> {
    switch (outcome.type) {
      case 'blocked':
        return outcome.report.reasons;
      case 'gaveWay':
        return ['user_typing'];
      case 'changed':
        return null;
      case 'failed':
        ticket.screen = outcome.screen;
        this.#end(ticket, 'failed_to_start', { fault: faults.notStarted(outcome.why), rule: 'failed_to_start' });
        return null;
      case 'sent': {
        const how = await this.#writer.begins(ticket.blockId, () => ticket.status !== 'submitted');
        if (how === 'begun' || ticket.status !== 'submitted') return null;
        ticket.screen = await this.#writer.screenText().catch(() => null); // no screen any more: closed meanwhile
        if (ticket.status === 'submitted') ticket.become('failed_to_start', faults.notBegun(how));
        this.#deps.changed();
        return null;
      }
    }
  }

  #returning(ticket: ExecRequest, allowed: Allowed['decision']): void {
    // a yes to this very question is told as the person gave it, also where it holds on
    const decision =
      ticket.approvedHash !== null && allowed.choice === 'once' ? byUser(ticket, ticket.choice) : allowed;
    ticket.decision = decision;
    ticket.sentMonoMs = this.#deps.clock.monotonicMs();
    this.#sent.set(ticket.blockId, ticket);
    this.#remove(ticket);
    if (ticket.request.cwd === undefined) this.#deps.shells.ran(this.#terminal, ticket.requested);
    this.#deps.decided(
      ticket,
      decision.by === 'user' ? 'approved' : 'allowed',
      ruleOf(ticket, decision.choice ?? decision.rule),
    );
    ticket.become('submitted');
    this.#deps.changed();
  }

  #ask(ticket: ExecRequest, { judgement, bound }: Extract<AuthorityVerdict, { type: 'ask' }>): void {
    const { rule, subcommand, reason: why } = judgement;
    ticket.decision = { by: 'policy', choice: null, rule, subcommand };
    ticket.become('awaiting_approval');
    const { caller, blockId, request } = ticket;
    const approval = this.#deps.approvals.ask({
      ...bound,
      blockId,
      caller,
      reason: request.reason ?? null,
      saysReadOnly: request.isReadOnly ?? false,
      rule,
      why,
      subcommand,
      prefix: approvalPrefix(judgement),
      settled: (outcome) => this.#answered(ticket, outcome, approval.hash),
    });
    this.#deps.changed();
  }

  #answered(ticket: ExecRequest, outcome: ApprovalOutcome, hash: string): void {
    if (ticket.status !== 'awaiting_approval') return;
    if ('via' in outcome) ticket.answeredVia = outcome.via;
    if (outcome.type === 'approved') {
      ticket.approvedHash = hash;
      ticket.choice = outcome.choice;
      ticket.decision = byUser(ticket, outcome.choice);
      ticket.become('queued');
    } else if (outcome.type === 'denied') {
      ticket.decision = byUser(ticket, 'deny');
      this.#end(ticket, 'denied', { fault: faults.deniedByUser(outcome.reason), rule: ruleOf(ticket, 'user') });
    } else if (outcome.type === 'expired')
      this.#end(ticket, 'expired', { fault: faults.unanswered(), rule: 'APPROVAL_EXPIRED' });
    else this.cancel(ticket, null);
    this.#deps.changed();
    this.poke();
  }

  #expire(ticket: ExecRequest): void {
    if (!ticket.isWaiting) return;
    const isAsked = ticket.status === 'awaiting_approval';
    const fault = isAsked ? faults.unanswered() : faultOfBlockers(ticket.blockers);
    this.#end(ticket, 'expired', { fault, rule: fault.code });
  }

  #end(
    ticket: ExecRequest,
    status: 'cancelled' | 'denied' | 'expired' | 'failed_to_start',
    { fault, rule }: { fault: ExecFault | null; rule: string | null },
  ): void {
    this.#remove(ticket);
    const decision = status === 'failed_to_start' ? 'refused' : status;
    this.#deps.decided(ticket, decision, rule);
    ticket.become(status, fault);
    this.#deps.approvals.cancel(ticket.blockId);
    this.#deps.changed();
    this.poke();
  }

  #remove(ticket: ExecRequest): void {
    this.#waiting = this.#waiting.filter((other) => other !== ticket);
    this.#timers.get(ticket)?.dispose();
    this.#timers.delete(ticket);
  }

  #heard(change: BlockChange): void {
    if (change.type === 'output' || change.type === 'divider') return;
    const ticket = this.#sent.get(change.block.id);
    if (ticket) {
      ticket.block = change.block;
      if (change.type === 'open') this.#began(ticket);
      if (change.type === 'close') this.#ended(ticket);
      this.#deps.changed();
    }
    if (change.type !== 'change') this.poke();
  }

  #began(ticket: ExecRequest): void {
    ticket.screen = null;
    ticket.become('running');
    const { timeoutMs } = ticket.request;
    if (timeoutMs === undefined) return;
    this.#timers.set(
      ticket,
      this.#deps.clock.after(timeoutMs, () => this.stop(ticket)),
    );
  }

  #ended(ticket: ExecRequest): void {
    this.#remove(ticket);
    this.#sent.delete(ticket.blockId);
    if (ticket.block) ticket.become(statusOfBlock(ticket.block, ticket.isStopped));
  }

  #terminalChanged(): void {
    if (this.#terminal.view.state === 'exited')
      for (const ticket of [...this.#waiting]) this.cancel(ticket, faults.gone(this.#terminal.id));
    this.poke();
  }

  #retryLater(blockers: readonly IdleReason[]): void {
    if (blockers.includes('block_running')) return; // its end is told
    const quietMs = this.#terminal.input.keys.quietMs ?? 0;
    if (blockers.includes('user_typing')) this.#pace.in(Math.max(MIN_RETRY_MS, this.#holdMs - quietMs + 1));
    else this.#pace.later();
  }
}

/** Of a command that was asked about: the policy's rule stays named beside the person's word. */
function byUser({ decision }: ExecRequest, choice: ExecDecision['choice']): ExecDecision {
  const { rule, subcommand } = decision ?? { rule: 'default', subcommand: null };
  return { by: 'user', choice, rule, subcommand };
}

/** For the audit: an answer that came through the client that asked is told apart from one of the person's own window. */
function ruleOf({ answeredVia }: ExecRequest, rule: string): string {
  return answeredVia === null ? rule : `user via ${answeredVia}`;
}
