import type { AuditLine } from '../../contract/mcp/audit.ts';
import type { ExecFault, IdleReason, IdleReport } from '../../contract/mcp/exec.ts';
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
import { RetryScheduler } from './RetryScheduler.ts';
import { byUser, ENDINGS, type RequestEvent } from './reduceRequest.ts';
import { SentRequests } from './SentRequests.ts';
import type { TaintedShells } from './TaintedShells.ts';
import { WaitingRequests } from './WaitingRequests.ts';

const MIN_RETRY_MS = 10;

export interface QueueDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly approvals: ApprovalQueue;
  readonly turns: KeyedQueue;
  readonly shells: TaintedShells;
  policy(): ExecPolicy;
  /** Reports the decision on a command, for the audit log. */
  decided(request: ExecRequest, decision: AuditLine['decision'], rule: string | null): void;
  changed(): void;
}

type Ending = Extract<RequestEvent, { type: keyof typeof ENDINGS }>;
type Allowed = Extract<AuthorityVerdict, { type: 'allowed' }>;

/**
 * Commands of outside clients that wait for one terminal. The commands of one client run in order; a command that waits for approval blocks only its
 * own client. Each command is sent at most once.
 */
export class ExecQueue implements IDisposable {
  readonly #terminal: PtyInstance;
  readonly #deps: QueueDeps;
  readonly #writer: LineWriter;
  readonly #owned = new Disposables();
  readonly #pace: RetryScheduler;
  readonly #waiting: WaitingRequests;
  readonly #sent: SentRequests;
  #isPumping = false;
  #isPokedMeanwhile = false;

  constructor(terminal: PtyInstance, deps: QueueDeps) {
    this.#terminal = terminal;
    this.#deps = deps;
    this.#writer = new LineWriter(terminal, deps.clock);
    this.#pace = this.#owned.add(new RetryScheduler(deps.clock, () => this.#pump()));
    this.#waiting = this.#owned.add(new WaitingRequests(deps.clock));
    this.#sent = this.#owned.add(
      new SentRequests({ terminal, clock: deps.clock, changed: () => deps.changed(), turned: () => this.poke() }),
    );
    this.#owned.add(terminal.onChanged(() => this.#terminalChanged()));
  }

  get waiting(): readonly ExecRequest[] {
    return this.#waiting.all;
  }

  get running(): ExecRequest | null {
    return this.#sent.running;
  }

  positionOf(request: ExecRequest): number | null {
    return this.#waiting.positionOf(request);
  }

  idle(): Promise<IdleReport> {
    return this.#writer.idle(this.#holdMs);
  }

  /** `verdict`: the judgement at the time of the call. */
  add(request: ExecRequest, verdict: Extract<AuthorityVerdict, { type: 'allowed' | 'ask' }>): void {
    this.#waiting.add(request, () => this.#expire(request));
    if (verdict.type === 'ask') this.#ask(request, verdict);
    this.#deps.changed();
    this.poke();
  }

  /** Cancels the request if it was not sent yet. */
  cancel(request: ExecRequest, fault: ExecFault | null): void {
    if (request.isWaiting) this.#end(request, { type: 'cancelled', fault }, fault?.code ?? null);
  }

  /** Presses Ctrl-C for a command that was sent. */
  stop(request: ExecRequest): void {
    this.#sent.stop(request);
  }

  /** Tries the next command, because something changed that may let it run. */
  poke(): void {
    this.#pace.soon();
  }

  dispose(): void {
    for (const request of this.#waiting.all) this.cancel(request, faults.gone(this.#terminal.id));
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
        // The terminal was closed meanwhile, so its screen does not answer. `dispose` ends the waiting requests.
        this.#deps.log('exec_failed', { terminalId: this.#terminal.id, reason: String(error) });
      })
      .finally(() => {
        this.#isPumping = false;
      });
  }

  async #run(): Promise<void> {
    while (this.#isPokedMeanwhile) {
      this.#isPokedMeanwhile = false;
      for (let request = this.#waiting.next(); request; request = this.#waiting.next()) {
        const blockers = await this.#try(request);
        if (!blockers) continue;
        if (request.isWaiting) request.apply({ type: 'held', blockers });
        this.#deps.changed();
        this.#retryLater(blockers);
        break;
      }
    }
  }

  /** Returns what blocks the request, or null if it no longer waits or waits for an approval. */
  async #try(request: ExecRequest): Promise<readonly IdleReason[] | null> {
    const { caller, cmd, requested, input, state } = request;
    const approvedHash = state.approval?.hash ?? null;
    const wanted = { caller, cmd, requested, approvedHash, cwd: input.cwd ?? null };
    const { approvals, shells } = this.#deps;
    const verdict = await authorize(wanted, this.#terminal, { policy: this.#deps.policy(), approvals, shells });
    if (!request.isWaiting) return null;
    const { expectedCwd } = input;
    if (expectedCwd !== undefined && expectedCwd !== this.#terminal.view.cwd) {
      this.cancel(request, faults.cwd(expectedCwd, this.#terminal.view.cwd));
      return null;
    }
    switch (verdict.type) {
      case 'denied': {
        const { rule, reason, subcommand } = verdict.judgement;
        this.#end(request, { type: 'refused', fault: faults.policy(rule, reason), rule, subcommand }, rule);
        return null;
      }
      case 'void':
        this.cancel(request, faults.approvedElsewhere(verdict.bound.cwd));
        return null;
      case 'ask':
        this.#ask(request, verdict);
        return null;
      case 'allowed':
        return this.#deps.turns.run(this.#terminal.id, () => this.#submit(request, verdict));
    }
  }

  async #submit(request: ExecRequest, { decision, bound, words }: Allowed): Promise<readonly IdleReason[] | null> {
    if (!request.isWaiting) return null;
    const outcome = await this.#writer.send({
      cmd: request.cmd,
      blockId: request.blockId,
      actor: actorOf(request.caller),
      typingHoldMs: this.#holdMs,
      isStillAllowed: () => {
        const isSameShell = words !== null && this.#terminal.reports.words.now === words;
        return request.isWaiting && this.#terminal.view.cwd === bound.cwd && (decision.by === 'user' || isSameShell);
      },
      returning: () => this.#returning(request, decision),
    });
    return this.#took(request, outcome);
  }

  async #took(request: ExecRequest, outcome: LineOutcome): Promise<readonly IdleReason[] | null> {
    switch (outcome.type) {
      case 'blocked':
        return outcome.report.reasons;
      case 'gaveWay':
        return ['user_typing'];
      case 'changed':
        return null;
      case 'failed':
        this.#end(
          request,
          { type: 'failed', fault: faults.notStarted(outcome.why), screen: outcome.screen },
          'failed_to_start',
        );
        return null;
      case 'sent': {
        const how = await this.#writer.begins(request.blockId, () => request.status !== 'submitted');
        if (how === 'begun' || request.status !== 'submitted') return null;
        const screen = await this.#writer.screenText().catch(() => null); // the terminal may be closed meanwhile
        if (request.status === 'submitted') request.apply({ type: 'failed', fault: faults.notBegun(how), screen });
        this.#deps.changed();
        return null;
      }
    }
  }

  #returning(request: ExecRequest, allowed: Allowed['decision']): void {
    const { approval } = request.state;
    // report the person's choice for this command, also if it allows later commands too
    const isAnswer = approval !== null && allowed.choice === 'once';
    const decision = isAnswer ? byUser(request.state, approval.choice) : allowed;
    const monoMs = this.#deps.clock.monotonicMs();
    this.#sent.add(request);
    this.#waiting.remove(request);
    if (request.input.cwd === undefined) this.#deps.shells.ran(this.#terminal, request.requested);
    const rule = ruleOf(request.state.answeredVia, decision.choice ?? decision.rule);
    this.#deps.decided(request, decision.by === 'user' ? 'approved' : 'allowed', rule);
    request.apply({ type: 'sent', decision, monoMs });
    this.#deps.changed();
  }

  #ask(request: ExecRequest, { judgement, bound }: Extract<AuthorityVerdict, { type: 'ask' }>): void {
    const { rule, subcommand, reason: why } = judgement;
    request.apply({ type: 'asked', rule, subcommand });
    const { caller, blockId, input } = request;
    const approval = this.#deps.approvals.ask({
      ...bound,
      blockId,
      caller,
      reason: input.reason ?? null,
      saysReadOnly: input.isReadOnly ?? false,
      rule,
      why,
      subcommand,
      prefix: approvalPrefix(judgement),
      settled: (outcome) => this.#answered(request, outcome, approval.hash),
    });
    this.#deps.changed();
  }

  #answered(request: ExecRequest, outcome: ApprovalOutcome, hash: string): void {
    if (request.status !== 'awaiting_approval') return;
    const via = ('via' in outcome && outcome.via) || null;
    if (outcome.type === 'approved') request.apply({ type: 'approved', hash, choice: outcome.choice, via });
    else if (outcome.type === 'denied') {
      const fault = faults.deniedByUser(outcome.reason);
      this.#end(request, { type: 'declined', fault, via }, ruleOf(via, 'user'));
    } else if (outcome.type === 'expired')
      this.#end(request, { type: 'expired', fault: faults.unanswered() }, 'APPROVAL_EXPIRED');
    else this.cancel(request, null);
    this.#deps.changed();
    this.poke();
  }

  #expire(request: ExecRequest): void {
    if (!request.isWaiting) return;
    const { status, blockers } = request.state;
    const fault = status === 'awaiting_approval' ? faults.unanswered() : faultOfBlockers(blockers);
    this.#end(request, { type: 'expired', fault }, fault.code);
  }

  /** Ends a request that will not run. */
  #end(request: ExecRequest, event: Ending, rule: string | null): void {
    this.#waiting.remove(request);
    this.#deps.decided(request, ENDINGS[event.type], rule);
    request.apply(event);
    this.#deps.approvals.cancel(request.blockId);
    this.#deps.changed();
    this.poke();
  }

  #terminalChanged(): void {
    if (this.#terminal.view.state === 'exited')
      for (const request of this.#waiting.all) this.cancel(request, faults.gone(this.#terminal.id));
    this.poke();
  }

  #retryLater(blockers: readonly IdleReason[]): void {
    if (blockers.includes('block_running')) return; // `poke` runs when the block ends
    const quietMs = this.#terminal.input.keys.quietMs ?? 0;
    if (blockers.includes('user_typing')) this.#pace.in(Math.max(MIN_RETRY_MS, this.#holdMs - quietMs + 1));
    else this.#pace.later();
  }
}

/** For the audit log: distinguishes an answer through the asking client from one in the person's own window. */
function ruleOf(answeredVia: 'elicitation' | null, rule: string): string {
  return answeredVia === null ? rule : `user via ${answeredVia}`;
}
