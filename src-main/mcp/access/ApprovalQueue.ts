import { createHash } from 'node:crypto';
import type { Approval, ApprovalAnswer, ApprovalChange } from '../../contract/mcp/approval.ts';
import { isOffered } from '../../contract/mcp/isOffered.ts';
import type { McpCaller } from '../../contract/mcp/mcp.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import { Grants } from './Grants.ts';
import { shownParts } from './shownParts.ts';

/** Time that an approval stays on screen (mcp.md, "Numbers"). */
export const ON_SCREEN_MS = 30_000;
/** Limit from the moment of asking, however late a window shows the approval. */
export const HARD_CAP_MS = 40_000;

/** What an approval is bound to. */
export interface Bound {
  readonly cmd: string;
  readonly cwd: string | null;
  readonly terminalId: string;
  /** Epoch of the screen. */
  readonly epoch: string;
}

/** `via`: the person answered in the client that asked, not in one of our fronts. */
export type ApprovalOutcome =
  | { type: 'approved'; choice: 'once' | 'exact' | 'prefix'; via?: 'elicitation' }
  | { type: 'denied'; reason: string; via?: 'elicitation' }
  | { type: 'expired' }
  | { type: 'cancelled' };

export interface Question extends Bound {
  readonly blockId: string;
  readonly kind?: Approval['kind'];
  readonly caller: McpCaller;
  readonly reason: string | null;
  /** The client's own claim that it changes nothing. */
  readonly saysReadOnly?: boolean;
  readonly rule: string;
  readonly why: string;
  readonly subcommand: string | null;
  /** The prefix to offer, or null. */
  readonly prefix: readonly string[] | null;
  /** Called once. */
  readonly settled: (outcome: ApprovalOutcome) => void;
}

interface Open {
  readonly approval: Approval;
  readonly question: Question;
  /** Aborts when the approval is no longer open. */
  readonly over: AbortController;
  timer: IDisposable;
  isShown: boolean;
  /** The client that asks may put the question to its own person too. */
  isRemote: boolean;
}

/** The answers that may come through the client that asks: none with a lasting effect. */
export type RemoteAnswer = Extract<ApprovalAnswer, { choice: 'once' | 'deny' }>;

/** An open question as sent to the client that asks. */
export interface RemoteQuestion {
  readonly approval: Approval;
  readonly over: AbortSignal;
}

/** SHA-256 over command, cwd, terminal and epoch. JSON keeps the fields apart, so different values never give the same text. */
export function approvalHash({ cmd, cwd, terminalId, epoch }: Bound): string {
  return createHash('sha256')
    .update(JSON.stringify([cmd, cwd, terminalId, epoch]))
    .digest('hex');
}

/**
 * The approvals that wait for the person. Only the person's fronts answer here; a client reaches only `answerRemotely`, for its own questions and if
 * the policy allows it. The first answer counts, wherever it comes from.
 */
export class ApprovalQueue {
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #open = new Map<string, Open>();
  readonly #changes = new Emitter<ApprovalChange>();
  readonly grants = new Grants();

  constructor(deps: { clock: Clock; randomId: (bytes: number) => string }) {
    this.#clock = deps.clock;
    this.#newId = () => `a-${deps.randomId(6)}`;
  }

  get open(): Approval[] {
    return [...this.#open.values()].map(({ approval }) => approval);
  }

  follow(signal?: AbortSignal): AsyncGenerator<ApprovalChange> {
    return follow(this.#changes.on, () => [{ type: 'all', approvals: this.open }], signal);
  }

  ask(question: Question): Approval {
    const { cmd, cwd, terminalId, blockId, caller, reason, rule, why, subcommand, prefix, kind = 'command' } = question;
    const { saysReadOnly = false } = question;
    const askedMs = this.#clock.nowMs();
    const { name, title, isVerified } = caller;
    const approval: Approval = {
      id: this.#newId(),
      terminalId,
      blockId,
      kind,
      client: { name, title, terminalId: caller.terminalId, isVerified },
      reason,
      saysReadOnly,
      cmd,
      shown: shownParts(cmd),
      cwd,
      hash: approvalHash(question),
      rule,
      why,
      subcommand,
      prefix: prefix === null ? null : [...prefix],
      askedMs,
      expiresMs: askedMs + ON_SCREEN_MS,
    };
    const timer = this.#expireIn(approval.id, ON_SCREEN_MS);
    const over = new AbortController();
    this.#open.set(approval.id, { approval, question, timer, over, isShown: false, isRemote: false });
    this.#changes.fire({ type: 'asked', approval });
    return approval;
  }

  /** Asks and resolves with the outcome. */
  decide(question: Omit<Question, 'settled'>): Promise<ApprovalOutcome> {
    return new Promise((resolve) => {
      this.ask({ ...question, settled: resolve });
    });
  }

  /** Call when a window shows the approval for the first time: the full time starts now, within the cap. */
  shown(id: string): void {
    const open = this.#open.get(id);
    if (!open || open.isShown) return;
    const { approval } = open;
    const expiresMs = Math.min(this.#clock.nowMs() + ON_SCREEN_MS, approval.askedMs + HARD_CAP_MS);
    open.timer.dispose();
    const later = { ...approval, expiresMs };
    const timer = this.#expireIn(id, expiresMs - this.#clock.nowMs());
    this.#open.set(id, { ...open, approval: later, timer, isShown: true });
    this.#changes.fire({ type: 'asked', approval: later });
  }

  /** False if the approval is no longer open or does not offer that choice. */
  answer(id: string, answer: ApprovalAnswer): boolean {
    const open = this.#open.get(id);
    if (!open || !isOffered(open.approval, answer.choice)) return false;
    const { terminalId, cmd, cwd, prefix, client } = open.approval;
    const place = { terminalId, client: client.name, account: open.question.caller.account };
    if (answer.choice === 'exact') this.grants.addExact(place, { cmd, cwd });
    if (answer.choice === 'prefix' && prefix) this.grants.addPrefix(place, prefix);
    if (answer.choice === 'deny') this.#close(open, { type: 'denied', reason: answer.reason });
    else this.#close(open, { type: 'approved', choice: answer.choice });
    return true;
  }

  /** Lets the client that asked for that block put the question to its own person too; null if no question about it is open. */
  askRemotely(blockId: string): RemoteQuestion | null {
    const open = [...this.#open.values()].find(({ approval }) => approval.blockId === blockId);
    if (!open) return null;
    open.isRemote = true;
    return { approval: open.approval, over: open.over.signal };
  }

  /** Takes an answer through that client. False if the question with that id and hash was not put there or is no longer open. */
  answerRemotely({ id, hash }: { id: string; hash: string }, answer: RemoteAnswer): boolean {
    const open = this.#open.get(id);
    if (!open?.isRemote || open.approval.hash !== hash) return false;
    const via = 'elicitation';
    if (answer.choice === 'deny') this.#close(open, { type: 'denied', reason: answer.reason, via });
    else this.#close(open, { type: 'approved', choice: 'once', via });
    return true;
  }

  /** Whether a client in that terminal shows its person a question, so that a program typing there could answer it. */
  isAskedIn(terminalId: string): boolean {
    return [...this.#open.values()].some(
      ({ isRemote, approval }) => isRemote && approval.client.terminalId === terminalId,
    );
  }

  /** Cancels the approvals for that block, because its asker no longer wants it. */
  cancel(blockId: string): void {
    for (const open of [...this.#open.values()])
      if (open.approval.blockId === blockId) this.#close(open, { type: 'cancelled' });
  }

  /** Call when the terminal is closed: drops its approvals and everything allowed there. */
  forget(terminalId: string): void {
    for (const open of [...this.#open.values()])
      if (open.approval.terminalId === terminalId) this.#close(open, { type: 'cancelled' });
    this.grants.forget(terminalId);
  }

  dispose(): void {
    for (const { timer, over } of this.#open.values()) {
      timer.dispose();
      over.abort();
    }
    this.#open.clear();
    this.#changes.dispose();
  }

  #expireIn(id: string, delayMs: number): IDisposable {
    return this.#clock.after(delayMs, () => {
      const open = this.#open.get(id);
      if (open) this.#close(open, { type: 'expired' });
    });
  }

  #close({ approval, question, timer, over }: Open, outcome: ApprovalOutcome): void {
    timer.dispose();
    this.#open.delete(approval.id);
    over.abort();
    this.#changes.fire({ type: 'gone', id: approval.id, outcome: outcome.type });
    question.settled(outcome);
  }
}
