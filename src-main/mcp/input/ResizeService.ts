import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { TerminalSize } from '../../contract/terminal.ts';
import type { AuditEntry } from '../../store/audit/auditLog.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Size } from '../../terminal/viewers/SizeOwner.ts';
import { auditRuleOf, decisionOf, faults, thrown } from '../protocol/execFaults.ts';
import { InputJudge, type JudgeDeps } from './InputJudge.ts';

export interface ResizeDeps extends JudgeDeps {
  terminal(id: string): PtyInstance | undefined;
  audit(entry: AuditEntry): void;
}

export interface ResizeRequest extends TerminalSize {
  readonly terminalId: string;
  readonly leaseId: string;
}

/**
 * Sizes that outside clients set. A size lasts at most as long as its lease: a lease counts as one more viewer (`SizeOwner`), so a viewer of the
 * person that becomes active takes its size back, and the end of the lease restores it.
 */
export class ResizeService {
  readonly #deps: ResizeDeps;
  readonly #judge: InputJudge;
  /** The lease that set a terminal's size, by terminal. */
  readonly #lent = new Map<string, string>();

  constructor(deps: ResizeDeps) {
    this.#deps = deps;
    this.#judge = new InputJudge(deps);
    deps.leases.onPresence((terminalId) => this.#giveBack(terminalId));
  }

  /** Returns the previous size. If it throws a ToolFault, nothing was resized. */
  resize(request: ResizeRequest, caller: McpCaller): Size {
    const terminal = this.#deps.terminal(request.terminalId);
    try {
      if (!terminal) throw thrown(faults.gone(request.terminalId));
      const { leaseId, cols, rows } = request;
      this.#judge.check(terminal, { caller, leaseId });
      const before = { cols: terminal.view.cols, rows: terminal.view.rows };
      this.#lent.set(terminal.id, leaseId);
      terminal.viewers.lend(leaseId, { cols, rows });
      this.#tell(request, caller, { decision: 'allowed', rule: 'input' });
      return before;
    } catch (error) {
      if (error instanceof ToolFault)
        this.#tell(request, caller, { decision: decisionOf(error.code), rule: auditRuleOf(error) });
      throw error;
    }
  }

  forget(terminalId: string): void {
    this.#lent.delete(terminalId);
  }

  #giveBack(terminalId: string): void {
    const leaseId = this.#lent.get(terminalId);
    const lease = this.#deps.leases.status(terminalId);
    if (leaseId === undefined || (lease?.id === leaseId && lease.state === 'held')) return;
    this.#lent.delete(terminalId);
    this.#deps.terminal(terminalId)?.viewers.endLoan(leaseId);
  }

  #tell(request: ResizeRequest, caller: McpCaller, told: Pick<AuditEntry, 'decision' | 'rule'>): void {
    this.#deps.audit({
      client: caller.name,
      callerPty: caller.terminalId,
      pty: request.terminalId,
      tool: 'pty_resize',
      what: `${request.cols}×${request.rows}`,
      args: request,
      bytes: 0,
      ...told,
    });
  }
}
