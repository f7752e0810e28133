import type { AuditFilter, AuditPage } from '../../contract/mcp/audit.ts';
import type { McpCaller } from '../../contract/mcp/mcp.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import { ringFault } from './agentFaults.ts';
import { askedBy } from './turns.ts';

/** The audit log keeps who prompted whom over a restart. A page looks at 20,000 entries at most. */
const SENT = { limit: 20_000, filter: { decisions: ['allowed', 'approved'], reads: false } satisfies AuditFilter };

export interface PromptRingDeps {
  terminal(id: string): PtyInstance | undefined;
  auditPage(query: typeof SENT): Promise<AuditPage>;
}

/** Knows which agents prompted each other, also before this core started, so that they do not do it in a ring. */
export class PromptRing {
  readonly #deps: PromptRingDeps;
  /** By terminal: the terminal of the client that sent the agent's last prompt; null for a client outside of all terminals. */
  readonly #asked = new Map<string, string | null>();
  #recalling: Promise<void> | null = null;

  constructor(deps: PromptRingDeps) {
    this.#deps = deps;
  }

  /** Resolves when the prompts of earlier cores are known. Await it before `check`. */
  recall(): Promise<void> {
    this.#recalling ??= this.#recall().catch((error: unknown) => {
      this.#recalling = null; // the next prompt tries again
      throw error;
    });
    return this.#recalling;
  }

  /** Refuses a prompt to the agent that prompted this client, directly or through other agents. */
  check(terminalId: string, caller: McpCaller): void {
    const seen = new Set<string>();
    for (let at = caller.terminalId; at !== null && !seen.has(at); ) {
      seen.add(at);
      at = askedBy(this.#deps.terminal(at), this.#asked.get(at) ?? undefined);
      if (at === terminalId) throw ringFault(terminalId);
    }
  }

  prompted(terminalId: string, { terminalId: by }: McpCaller): void {
    this.#asked.set(terminalId, by);
  }

  forget(terminalId: string): void {
    this.#asked.set(terminalId, null);
  }

  async #recall(): Promise<void> {
    const { lines } = await this.#deps.auditPage(SENT);
    for (const { tool, pty, caller_pty: by } of lines)
      if (tool === 'agents_prompt' && pty !== null && !this.#asked.has(pty)) this.#asked.set(pty, by);
  }
}
