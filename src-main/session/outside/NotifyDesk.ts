import type { AgentState } from '../../contract/chat.ts';
import { type McpCaller, ToolFault } from '../../contract/mcp.ts';
import type { WaitCondition } from '../../contract/screen.ts';
import { Emitter } from '../../util/Emitter.ts';
import type { OutsideDesk } from './OutsideDesk.ts';

/** Of one client: more watches than anyone keeps in mind. */
const MAX_WATCHES = 16;
const MAX_NOTED = 100;

export interface NotifyWish {
  readonly terminalId: string;
  readonly message: string;
  readonly ttlMs: number;
  readonly onExit: boolean;
  readonly search?: string | undefined;
  readonly searchAbsent?: string | undefined;
  readonly stableMs?: number | undefined;
  /** A block of that terminal: until it has ended. */
  readonly blockId?: string | undefined;
  readonly agentState?: AgentState | undefined;
}

/** Something that was watched for, as it came about: exactly one for each watch that was not cancelled. */
export interface Noted {
  readonly id: string;
  readonly terminalId: string;
  readonly outcome: 'matched' | 'exited' | 'expired';
  readonly message: string;
  readonly atMs: number;
  /** Text that matched. */
  readonly match: string | null;
}

export interface Watch {
  readonly id: string;
  readonly client: string;
  readonly terminalId: string;
  readonly message: string;
  readonly untilMs: number;
}

/** Watches terminals for clients that do not wait themselves, and keeps for each client what came about. */
export class NotifyDesk {
  readonly #desk: OutsideDesk;
  readonly #randomId: (bytes: number) => string;
  readonly #watches = new Map<string, Watch & { stop: AbortController }>();
  readonly #noted = new Map<string, Noted[]>();
  /** What `fresh` has not given out yet, of each client. */
  readonly #fresh = new Map<string, Noted[]>();
  readonly #heard = new Emitter<string>();
  /** The name of a client for which something was noted. */
  readonly onNoted = this.#heard.on;

  constructor(desk: OutsideDesk, randomId: (bytes: number) => string) {
    this.#desk = desk;
    this.#randomId = randomId;
  }

  /** Throws where nothing can be watched. */
  when(wish: NotifyWish, { name }: Pick<McpCaller, 'name'>): Watch {
    if (this.list(name).length >= MAX_WATCHES)
      throw new ToolFault(
        'RATE_LIMITED',
        `${MAX_WATCHES} watches of yours are open`,
        'cancel one with action "cancel"',
      );
    this.#desk.record.liveTerminal(wish.terminalId);
    const stop = new AbortController();
    const watch = {
      id: `n-${this.#randomId(4)}`,
      client: name,
      terminalId: wish.terminalId,
      message: wish.message,
      untilMs: this.#desk.nowMs() + wish.ttlMs,
    };
    this.#watches.set(watch.id, { ...watch, stop });
    void this.#run(watch, wish, stop.signal);
    return watch;
  }

  list(client: string): Watch[] {
    return [...this.#watches.values()].filter((watch) => watch.client === client).map(({ stop: _, ...watch }) => watch);
  }

  /** False when there is no such watch of that client any more. */
  cancel(id: string, client: string): boolean {
    const watch = this.#watches.get(id);
    if (!watch || watch.client !== client) return false;
    this.#watches.delete(id);
    watch.stop.abort();
    return true;
  }

  /** All that was noted for a client and is still kept, oldest first. */
  noted(client: string): readonly Noted[] {
    return this.#noted.get(client) ?? [];
  }

  /** What was noted since the last time this was asked. */
  fresh(client: string): readonly Noted[] {
    const fresh = this.#fresh.get(client) ?? [];
    this.#fresh.delete(client);
    return fresh;
  }

  dispose(): void {
    for (const { stop } of this.#watches.values()) stop.abort();
    this.#watches.clear();
    this.#heard.dispose();
  }

  async #run(watch: Watch, wish: NotifyWish, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const found = await Promise.race([
      this.#onScreen(wish, either),
      this.#onAgent(wish, either),
      this.#onBlock(wish, either),
    ]).catch(() => ({ outcome: 'exited' as const, match: null })); // the terminal is gone, and so is what was watched for
    stop.abort();
    if (!this.#watches.delete(watch.id)) return; // cancelled
    const noted: Noted = {
      id: watch.id,
      terminalId: watch.terminalId,
      message: watch.message,
      atMs: this.#desk.nowMs(),
      ...found,
    };
    for (const kept of [this.#noted, this.#fresh])
      kept.set(watch.client, [...(kept.get(watch.client) ?? []), noted].slice(-MAX_NOTED));
    this.#heard.fire(watch.client);
  }

  async #onScreen(wish: NotifyWish, signal: AbortSignal): Promise<Pick<Noted, 'outcome' | 'match'>> {
    const conditions: WaitCondition[] = [];
    if (wish.search !== undefined) conditions.push({ type: 'match', pattern: wish.search, flags: '', scope: 'new' });
    if (wish.searchAbsent !== undefined) conditions.push({ type: 'absent', pattern: wish.searchAbsent, flags: '' });
    if (wish.stableMs !== undefined) conditions.push({ type: 'stable', ms: wish.stableMs, ignoreRows: [] });
    const query = {
      conditions: conditions.length > 0 ? conditions : [{ type: 'exit' as const }],
      mode: 'any' as const,
    };
    const result = await this.#desk.screens.wait(
      wish.terminalId,
      { ...query, timeoutMs: wish.ttlMs, scrollback: 0 },
      signal,
    );
    if (!result || 'error' in result) return { outcome: 'exited', match: null };
    if (result.outcome === 'met') return { outcome: 'matched', match: result.match?.text ?? null };
    if (result.outcome === 'deadline') return { outcome: 'expired', match: null };
    return { outcome: wish.onExit ? 'exited' : 'expired', match: null };
  }

  #onAgent({ agentState, terminalId }: NotifyWish, signal: AbortSignal): Promise<Pick<Noted, 'outcome' | 'match'>> {
    return new Promise((resolve) => {
      const { live } = this.#desk.record.terminal(terminalId);
      if (agentState === undefined || !live) return; // another way decides
      const look = (): void => {
        if (live.view.agent?.state === agentState) resolve({ outcome: 'matched', match: agentState });
      };
      const following = live.onChanged(look);
      signal.addEventListener('abort', () => following.dispose(), { once: true });
      look();
    });
  }

  #onBlock({ blockId, terminalId }: NotifyWish, signal: AbortSignal): Promise<Pick<Noted, 'outcome' | 'match'>> {
    return new Promise((resolve) => {
      if (blockId === undefined) return; // another way decides
      const look = async (): Promise<void> => {
        const block = await this.#desk.record.block(terminalId, blockId).catch(() => null); // not begun yet
        if (block && block.status !== 'running') resolve({ outcome: 'matched', match: null });
      };
      const following = this.#desk.feed.onChanged(() => void look());
      signal.addEventListener('abort', () => following.dispose(), { once: true });
      void look();
    });
  }
}
