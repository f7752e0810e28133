import type { Lease } from '../../contract/mcp/approval.ts';
import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { AuditEntry } from '../../store/audit/auditLog.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import { Disposables } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import type { ApprovalQueue } from '../access/ApprovalQueue.ts';
import type { ExecPolicy } from '../access/ExecPolicy.ts';
import { guardWrite } from '../exec/guardWrite.ts';
import { auditRuleOf, decisionOf, deniedBy, faults, thrown } from '../protocol/execFaults.ts';
import { askForKeys, INPUT } from './askForKeys.ts';
import { untilQuiet } from './untilQuiet.ts';

const MAX_TTL_S = 600;
/** Below the 60 s after which clients give up. */
const HANDBACK_MS = 55_000;

export interface LeaseDeps {
  readonly clock: Clock;
  readonly randomId: (bytes: number) => string;
  readonly approvals: ApprovalQueue;
  policy(): ExecPolicy;
  terminal(id: string): PtyInstance | undefined;
  audit(entry: AuditEntry): void;
}

export type HandBackOutcome = 'returned' | 'block_ended' | 'still_with_user' | 'revoked';

interface Held {
  lease: Lease;
  /** The holder's account, because another process may use the same client name. */
  readonly account: string;
  /** End by the monotonic clock; `lease.untilMs` is for display. */
  untilMonoMs: number;
  readonly owned: Disposables;
  /** Fires when the lease is the client's again or has ended. */
  readonly changed: Emitter<HandBackOutcome>;
}

/** Decides who may type into a terminal beside the person: one client at a time. Any key of the person takes the lease back at once. */
export class InputLeases {
  readonly #deps: LeaseDeps;
  readonly #held = new Map<string, Held>();
  readonly #presence = new Emitter<string>();
  /** Fires with a terminal's id when its lease changes. */
  readonly onPresence = this.#presence.on;

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
  }

  status(terminalId: string): Lease | null {
    return this.#held.get(terminalId)?.lease ?? null;
  }

  /**
   * Resolves with the lease. If the policy says "ask", the person is asked first: calls `beginWait` before, and the function it returns after their
   * answer.
   */
  async request(
    asked: { terminalId: string; reason: string; ttlS: number },
    caller: McpCaller,
    beginWait?: () => () => void,
  ): Promise<Lease> {
    const terminal = this.#deps.terminal(asked.terminalId);
    if (!terminal) throw thrown(faults.gone(asked.terminalId));
    const ttlMs = Math.min(MAX_TTL_S, Math.max(1, asked.ttlS)) * 1000;
    try {
      guardWrite(caller, terminal);
      const verdict = this.#deps.policy().policy.input.default;
      if (verdict === 'deny') throw deniedBy({ ...INPUT, reason: 'clients may not type into terminals' });
      this.checkFree(asked.terminalId, caller);
      if (verdict === 'ask') await askForKeys({ ...asked, ttlMs, caller }, this.#deps, beginWait);
      await untilQuiet(terminal, this.#quiet);
      guardWrite(caller, terminal);
      this.checkFree(asked.terminalId, caller);
    } catch (error) {
      if (error instanceof ToolFault)
        this.#tell(asked, caller, { decision: decisionOf(error.code), rule: auditRuleOf(error) });
      throw error;
    }
    const isAsked = this.#deps.policy().policy.input.default === 'ask';
    this.#tell(
      asked,
      caller,
      isAsked ? { decision: 'approved', rule: 'user' } : { decision: 'allowed', rule: 'input' },
    );
    return this.#grant(terminal, { reason: asked.reason, caller, ttlMs });
  }

  release(leaseId: string, caller: McpCaller): void {
    const held = this.#own(leaseId, caller);
    if (!held) return;
    const { terminalId } = held.lease;
    this.#tell({ terminalId, reason: 'gave the keys back' }, caller, { decision: 'allowed', rule: null });
    this.#end(terminalId, 'returned');
  }

  /** Whether the client's keys may be sent now. */
  hasKeys(terminalId: string, caller: McpCaller): boolean {
    const held = this.#held.get(terminalId);
    return held !== undefined && isOf(held, caller) && held.lease.state === 'held';
  }

  /** Whether that lease is the caller's and lets it type now. */
  isHeld(leaseId: string, terminalId: string, caller: McpCaller): boolean {
    const held = this.#own(leaseId, caller);
    return held?.lease.terminalId === terminalId && held.lease.state === 'held';
  }

  /** Lets the person do a step; resolves when they give it back, when the running command ends, or after 55 s. */
  async handBack(
    leaseId: string,
    caller: McpCaller,
    signal?: AbortSignal,
  ): Promise<{ outcome: HandBackOutcome; lease: Lease | null }> {
    const held = this.#own(leaseId, caller);
    const terminal = held && this.#deps.terminal(held.lease.terminalId);
    const asked = { terminalId: held?.lease.terminalId ?? null, reason: 'let the person type' };
    if (!held || !terminal) {
      const fault = noLease();
      this.#tell(asked, caller, { decision: decisionOf(fault.code), rule: fault.code });
      throw fault;
    }
    const { terminalId } = held.lease;
    this.#tell(asked, caller, { decision: 'allowed', rule: null });
    const leftMs = Math.max(this.#leftMs(held), HANDBACK_MS);
    held.untilMonoMs = this.#deps.clock.monotonicMs() + leftMs;
    this.#set(held, { state: 'with-user', untilMs: this.#nowMs + leftMs });
    const outcome = await new Promise<HandBackOutcome>((resolve) => {
      const waiting = new Disposables();
      const stop = (how: HandBackOutcome): void => {
        waiting.dispose();
        signal?.removeEventListener('abort', abort);
        resolve(how);
      };
      const abort = (): void => stop('still_with_user');
      waiting.add(this.#deps.clock.after(HANDBACK_MS, abort));
      waiting.add(held.changed.on(stop));
      const give = () => this.#give(terminalId, 'block_ended');
      // the person's last keys may be meant for the next program
      const giveQuietly = () => void untilQuiet(terminal, this.#quiet).then(give, () => undefined);
      waiting.add(terminal.book.onChange(({ type }) => type === 'close' && giveQuietly()));
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
    });
    return { outcome, lease: this.status(terminalId) };
  }

  /** Called for the person: ends the client's lease. */
  takeBack(terminalId: string): boolean {
    return this.#end(terminalId, 'revoked');
  }

  /** Called for the person: lets the client continue. */
  giveBack(terminalId: string): boolean {
    return this.#give(terminalId, 'returned');
  }

  dispose(): void {
    for (const id of [...this.#held.keys()]) this.#end(id, 'revoked');
    this.#presence.dispose();
  }

  get #nowMs(): number {
    return this.#deps.clock.nowMs();
  }

  get #quiet() {
    const { clock, policy } = this.#deps;
    return { clock, holdMs: () => policy().policy.input.typing_hold_ms };
  }

  /** Throws if another client has the lease. */
  checkFree(terminalId: string, caller: McpCaller): void {
    const held = this.#held.get(terminalId);
    if (!held || isOf(held, caller)) return;
    const why = `${held.lease.client} has the keys of this terminal`;
    throw new ToolFault('BUSY', why, 'ask again when its lease is over', {
      retryAfterMs: Math.max(0, Math.ceil(this.#leftMs(held))),
    });
  }

  #grant(terminal: PtyInstance, spec: { reason: string; caller: McpCaller; ttlMs: number }): Lease {
    this.#end(terminal.id, 'revoked');
    const { clock, randomId } = this.#deps;
    const fromMs = clock.nowMs();
    const { reason, caller, ttlMs } = spec;
    const held: Held = {
      lease: {
        id: `l-${randomId(8)}`,
        terminalId: terminal.id,
        client: caller.name,
        reason,
        fromMs,
        untilMs: fromMs + ttlMs,
        state: 'held',
      },
      account: caller.account,
      untilMonoMs: clock.monotonicMs() + ttlMs,
      owned: new Disposables(),
      changed: new Emitter<HandBackOutcome>(),
    };
    this.#held.set(terminal.id, held);
    held.owned.add(
      terminal.input.onPersonTyped(() => held.lease.state === 'held' && this.#end(terminal.id, 'revoked')),
    );
    this.#watchEnd(held);
    this.#presence.fire(terminal.id);
    return held.lease;
  }

  #leftMs({ untilMonoMs }: Held): number {
    return untilMonoMs - this.#deps.clock.monotonicMs();
  }

  #watchEnd(held: Held): void {
    const { terminalId } = held.lease;
    held.owned.add(
      this.#deps.clock.after(this.#leftMs(held), () => {
        if (this.#held.get(terminalId) !== held) return;
        if (this.#leftMs(held) > 0)
          this.#watchEnd(held); // it was extended meanwhile
        else this.#end(terminalId, 'revoked');
      }),
    );
  }

  #own(leaseId: string, caller: McpCaller): Held | undefined {
    return [...this.#held.values()].find((held) => held.lease.id === leaseId && isOf(held, caller));
  }

  #give(terminalId: string, how: HandBackOutcome): boolean {
    const held = this.#held.get(terminalId);
    if (held?.lease.state !== 'with-user') return false;
    this.#set(held, { state: 'held' });
    held.changed.fire(how);
    return true;
  }

  #set(held: Held, change: Partial<Lease>): void {
    held.lease = { ...held.lease, ...change };
    this.#presence.fire(held.lease.terminalId);
  }

  #end(terminalId: string, how: HandBackOutcome): boolean {
    const held = this.#held.get(terminalId);
    if (!held) return false;
    this.#held.delete(terminalId);
    held.owned.dispose();
    held.changed.fire(how);
    held.changed.dispose();
    this.#presence.fire(terminalId);
    return true;
  }

  #tell(
    asked: { terminalId: string | null; reason: string; ttlS?: number },
    caller: McpCaller,
    told: Pick<AuditEntry, 'decision' | 'rule'>,
  ): void {
    this.#deps.audit({
      client: caller.name,
      callerPty: caller.terminalId,
      pty: asked.terminalId,
      tool: 'pty_control',
      what: asked.reason,
      args: asked,
      bytes: 0,
      ...told,
    });
  }
}

function isOf({ lease, account }: Held, caller: McpCaller): boolean {
  return lease.client === caller.name && account === caller.account;
}

export function noLease(): ToolFault {
  return new ToolFault('BUSY', 'that lease is not yours, or is over', 'ask for control again (pty_control)');
}
