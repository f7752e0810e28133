import type { FaultCode, McpCaller } from '../../contract/mcp.ts';
import type { AuditEntry } from '../../store/auditLog.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { decisionOf } from './execFaults.ts';

const WINDOW_MS = 60_000;
/** Clients name themselves, and anew with each request if they like: beyond so many of a minute they are counted together. */
const MAX_KINDS = 60;
const OTHERS = 'others';

export interface DoorRefusal {
  readonly caller: Pick<McpCaller, 'name' | 'terminalId'>;
  readonly terminalId: string | null;
  readonly tool: string;
  /** What it was about. */
  readonly what: string;
  readonly code: FaultCode;
}

interface Kind {
  readonly first: DoorRefusal;
  more: number;
}

/**
 * Calls that would have written and were not let in, for the audit: by their scope, or because there were too many. The first of a kind (client,
 * tool, code) is a line at once; those that follow within a minute are one line more, with their count. A flood cannot fill the disk, nor push
 * out of the audit what was done before.
 */
export class DoorRefusals implements IDisposable {
  readonly #deps: { readonly clock: Clock; audit(entry: AuditEntry): void };
  readonly #kinds = new Map<string, Kind>();
  #timer: IDisposable | null = null;

  constructor(deps: { readonly clock: Clock; audit(entry: AuditEntry): void }) {
    this.#deps = deps;
  }

  take(refusal: DoorRefusal): void {
    this.#timer ??= this.#deps.clock.after(WINDOW_MS, () => this.#tellCounts());
    const own = JSON.stringify([refusal.caller.name, refusal.tool, refusal.code]);
    const name = this.#kinds.has(own) || this.#kinds.size < MAX_KINDS ? own : OTHERS;
    const kind = this.#kinds.get(name);
    if (kind) kind.more += 1;
    else {
      this.#kinds.set(name, { first: refusal, more: 0 });
      this.#tell(refusal);
    }
  }

  /** What was only counted is told. */
  dispose(): void {
    this.#tellCounts();
  }

  #tellCounts(): void {
    this.#timer?.dispose();
    this.#timer = null;
    for (const [name, { first, more }] of this.#kinds) {
      if (more === 0) continue;
      const { tool, caller } = first;
      const what = `and ${more} more within a minute`;
      if (name !== OTHERS) this.#tell({ ...first, what });
      else this.#tell({ ...first, what: `${what}, of ${tool} by ${caller.name} and of others` });
    }
    this.#kinds.clear();
  }

  #tell({ caller, terminalId, tool, what, code }: DoorRefusal): void {
    this.#deps.audit({
      client: caller.name,
      callerPty: caller.terminalId,
      pty: terminalId,
      tool,
      what,
      args: { tool, pty_id: terminalId, what },
      decision: decisionOf(code),
      rule: code,
      bytes: 0,
    });
  }
}
