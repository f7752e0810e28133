import type { AgentRow } from '../../../src-main/contract/agents.ts';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';

const TIMEOUT_MS = 90_000;

/** The list of all agents, followed as a window does. */
export class FollowedBoard {
  readonly #rows = new Map<string, AgentRow>();
  readonly #watchers = new Set<() => void>();
  readonly #following: { unsubscribe(): void };

  constructor(api: CoreConnection['api']) {
    this.#following = api.agent.onChange.subscribe(undefined, {
      onData: (change) => {
        if (change.type === 'removed') this.#rows.delete(change.conversationId);
        else
          for (const row of change.type === 'all' ? change.rows : [change.row]) this.#rows.set(row.conversationId, row);
        for (const look of [...this.#watchers]) look();
      },
      onError: () => undefined, // the core was killed
    });
  }

  /** The row of the terminal's running conversation. */
  live(terminalId: string): AgentRow | undefined {
    return [...this.#rows.values()].find((row) => row.terminalId === terminalId && row.state !== 'exited');
  }

  /** Resolves with the terminal's row once it meets the condition, and the time at which the board had it, in ms since 1970. */
  until(
    terminalId: string,
    what: string,
    isMet: (row: AgentRow) => boolean,
    withinMs = TIMEOUT_MS,
  ): Promise<{ readonly row: AgentRow; readonly atMs: number }> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const row = this.live(terminalId);
        if (!row || !isMet(row)) return;
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve({ row, atMs: Date.now() });
      };
      const timer = setTimeout(() => {
        this.#watchers.delete(look);
        reject(new Error(`${what}: not in ${withinMs} ms; the row is ${JSON.stringify(this.live(terminalId))}`));
      }, withinMs);
      this.#watchers.add(look);
      look();
    });
  }

  dispose(): void {
    this.#following.unsubscribe();
  }
}
