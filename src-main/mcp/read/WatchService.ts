import type { AgentState } from '../../contract/chat/chat.ts';
import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { CommandLines, ScreenReading, WaitCondition } from '../../contract/screen/screen.ts';
import { LINES_ABOVE } from '../../redaction/redactedLines.ts';
import { Emitter } from '../../util/Emitter.ts';
import { detach } from '../../util/strayErrors.ts';
import type { McpReadService } from '../server/McpReadService.ts';
import { checkPattern } from './checkPattern.ts';

/** Of one account, whatever names it gives itself: more watches than anyone keeps in mind. */
const MAX_WATCHES = 16;
/** Of one account, of what came about and of what it cancelled. */
const MAX_KEPT = 100;

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
  /** The screen as it is when it comes about is kept with it. */
  readonly wantsScreen?: boolean | undefined;
}

export interface Watch {
  readonly id: string;
  readonly client: string;
  readonly terminalId: string;
  readonly message: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Of its expressions; null where it has none. */
  readonly search: WatchSearch | null;
}

export interface WatchSearch {
  /** The text stood on the screen when the watch began. That is not what it waits for: the text must come anew. */
  readonly isImmediate: boolean;
  readonly commandLines: CommandLines;
}

/** Something that was watched for, as it came about: exactly one for each watch that was not cancelled. */
export interface WatchResult extends Watch {
  readonly outcome: 'matched' | 'exited' | 'expired';
  readonly atMs: number;
  /** Text that matched, without what is a secret. */
  readonly match: string | null;
  /** Why it has expired before its time; null for all else. */
  readonly reason: string | null;
  /** Only where it was wanted, and where there still was one to see; with rows from above it, by which its secrets are known. */
  readonly screen: ScreenReading | null;
}

/** How a watch stands. */
export type WatchState =
  | { readonly type: 'open'; readonly watch: Watch }
  | { readonly type: 'noted'; readonly watch: Watch; readonly noted: WatchResult }
  | { readonly type: 'cancelled'; readonly watch: Watch; readonly atMs: number };

/** Kept for a client of that name; counted for its account. */
interface Kept<T> {
  readonly client: string;
  readonly account: string;
  readonly one: T;
}

type Found = Pick<WatchResult, 'outcome' | 'match' | 'reason'>;

const EXITED: Found = { outcome: 'exited', match: null, reason: null };

/** Watches terminals for clients that do not wait themselves, and keeps for each client what came about. */
export class WatchService {
  readonly #desk: McpReadService;
  readonly #randomId: (bytes: number) => string;
  readonly #watches = new Map<string, { watch: Watch; account: string; stop: AbortController }>();
  #noted: readonly Kept<WatchResult>[] = [];
  /** What `fresh` has not given out yet. */
  #fresh: readonly Kept<WatchResult>[] = [];
  #cancelled: readonly Kept<{ watch: Watch; atMs: number }>[] = [];
  readonly #reports = new Emitter<string>();
  /** The name of a client for which something was noted. */
  readonly onNoted = this.#reports.on;

  constructor(desk: McpReadService, randomId: (bytes: number) => string) {
    this.#desk = desk;
    this.#randomId = randomId;
  }

  /**
   * Throws where nothing can be watched, and for an expression that cannot be used. `push` is called once, with what came about, unless
   * the watch is cancelled; it is noted all the same.
   */
  async when(
    wish: NotifyWish,
    { name, account }: Pick<McpCaller, 'name' | 'account'>,
    push: ((noted: WatchResult) => void) | null = null,
  ): Promise<Watch> {
    this.#desk.record.liveTerminal(wish.terminalId);
    const search = await this.#tryOut(wish);
    if ([...this.#watches.values()].filter((one) => one.account === account).length >= MAX_WATCHES)
      throw new ToolFault(
        'RATE_LIMITED',
        `${MAX_WATCHES} watches of yours are open`,
        'cancel one with action "cancel"',
      );
    const stop = new AbortController();
    const sinceMs = this.#desk.nowMs();
    const watch = {
      id: `n-${this.#randomId(4)}`,
      client: name,
      terminalId: wish.terminalId,
      message: wish.message,
      sinceMs,
      untilMs: sinceMs + wish.ttlMs,
      search,
    };
    this.#watches.set(watch.id, { watch, account, stop });
    detach('WatchService', this.#run({ client: name, account, one: watch }, wish, { signal: stop.signal, push }));
    return watch;
  }

  list(client: string): Watch[] {
    return [...this.#watches.values()].map(({ watch }) => watch).filter((watch) => watch.client === client);
  }

  /** False when there is no such watch of that client any more. */
  cancel(id: string, client: string): boolean {
    const open = this.#watches.get(id);
    if (!open || open.watch.client !== client) return false;
    const { watch, account, stop } = open;
    this.#watches.delete(id);
    stop.abort();
    this.#cancelled = keep(this.#cancelled, { client, account, one: { watch, atMs: this.#desk.nowMs() } });
    return true;
  }

  /** Null when that client has no such watch, or had it too long ago. */
  state(id: string, client: string): WatchState | null {
    const watch = this.list(client).find((one) => one.id === id);
    if (watch) return { type: 'open', watch };
    const noted = this.noted(client).find((one) => one.id === id);
    if (noted) return { type: 'noted', watch: noted, noted };
    const cancelled = keptFor(this.#cancelled, client).find((one) => one.watch.id === id);
    return cancelled ? { type: 'cancelled', ...cancelled } : null;
  }

  /** All that was noted for a client and is still kept, oldest first. */
  noted(client: string): readonly WatchResult[] {
    return keptFor(this.#noted, client).map((noted) => this.#shown(noted));
  }

  /** What was noted since the last time this was asked. */
  fresh(client: string): readonly WatchResult[] {
    const fresh = keptFor(this.#fresh, client);
    this.#fresh = this.#fresh.filter((kept) => kept.client !== client);
    return fresh.map((noted) => this.#shown(noted));
  }

  dispose(): void {
    for (const { stop } of this.#watches.values()) stop.abort();
    this.#watches.clear();
    this.#reports.dispose();
  }

  async #run(
    { one: watch, ...whose }: Kept<Watch>,
    wish: NotifyWish,
    { signal, push }: { signal: AbortSignal; push: ((noted: WatchResult) => void) | null },
  ): Promise<void> {
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const found = await Promise.race([
      this.#onScreen(wish, either),
      this.#onAgent(wish, either),
      this.#onBlock(wish, either),
    ]).catch(() => EXITED); // the terminal is gone, and so is what was watched for
    stop.abort();
    const isShown = wish.wantsScreen && this.#desk.record.isSeen(watch.terminalId);
    const screen = isShown ? await this.#screen(watch.terminalId) : null;
    if (!this.#watches.delete(watch.id)) return; // cancelled
    const noted: WatchResult = { ...watch, atMs: this.#desk.nowMs(), ...found, screen };
    this.#noted = keep(this.#noted, { ...whose, one: noted });
    this.#fresh = keep(this.#fresh, { ...whose, one: noted });
    this.#reports.fire(watch.client);
    push?.(this.#shown(noted));
  }

  /** Of a terminal that has become private since it is only told that it is not there. */
  #shown(noted: WatchResult): WatchResult {
    if (this.#desk.record.isSeen(noted.terminalId)) return noted;
    return { ...noted, ...EXITED, screen: null };
  }

  async #screen(terminalId: string): Promise<ScreenReading | null> {
    const reading = await this.#desk.screens.read(terminalId, { scrollback: LINES_ABOVE }).catch(() => null); // gone with its program
    return reading && 'frame' in reading ? reading : null;
  }

  /** Its expressions on what stands there now. */
  async #tryOut(wish: NotifyWish): Promise<WatchSearch | null> {
    if ((wish.search ?? wish.searchAbsent) === undefined) return null;
    const conditions = conditionsOf(wish, 'screen');
    const result = await this.#desk.screens.wait(
      wish.terminalId,
      { conditions, mode: 'any', timeoutMs: 0, scrollback: 0 },
      new AbortController().signal,
    );
    if (!result || 'error' in result) return null;
    checkPattern(result);
    return { isImmediate: result.match !== null, commandLines: result.commandLines };
  }

  async #onScreen(wish: NotifyWish, signal: AbortSignal): Promise<Found> {
    const conditions = conditionsOf(wish, 'new');
    const query = {
      conditions: conditions.length > 0 ? conditions : [{ type: 'exit' as const }],
      mode: 'any' as const,
    };
    const result = await this.#desk.screens.wait(
      wish.terminalId,
      { ...query, timeoutMs: wish.ttlMs, scrollback: 0 },
      signal,
    );
    if (!result || 'error' in result) return EXITED;
    switch (result.outcome) {
      case 'met':
        return { outcome: 'matched', match: result.match?.text ?? null, reason: null };
      case 'exited':
      case 'gone':
        return wish.onExit ? EXITED : { outcome: 'expired', match: null, reason: 'the program has ended' };
      case 'deadline':
        return { outcome: 'expired', match: null, reason: null };
      // usable when it was asked for, and too slow on what came since
      case 'bad-pattern':
      case 'slow-pattern':
        return { outcome: 'expired', match: null, reason: result.reason ?? 'the expression cannot be used' };
    }
  }

  #onAgent({ agentState, terminalId }: NotifyWish, signal: AbortSignal): Promise<Found> {
    return new Promise((resolve) => {
      const { live } = this.#desk.record.terminal(terminalId);
      if (agentState === undefined || !live) return; // another way decides
      const look = (): void => {
        if (live.view.agent?.state === agentState) resolve({ outcome: 'matched', match: agentState, reason: null });
      };
      const following = live.onChanged(look);
      signal.addEventListener('abort', () => following.dispose(), { once: true });
      look();
    });
  }

  #onBlock({ blockId, terminalId }: NotifyWish, signal: AbortSignal): Promise<Found> {
    return new Promise((resolve) => {
      if (blockId === undefined) return; // another way decides
      const look = async (): Promise<void> => {
        const block = await this.#desk.record.block(terminalId, blockId).catch(() => null); // not begun yet
        if (block && block.status !== 'running') resolve({ outcome: 'matched', match: null, reason: null });
      };
      const following = this.#desk.feed.onChanged(() => detach('WatchService', look()));
      signal.addEventListener('abort', () => following.dispose(), { once: true });
      detach('WatchService', look());
    });
  }
}

/** Of the screen. `scope`: what a search looks at. */
function conditionsOf({ search, searchAbsent, stableMs }: NotifyWish, scope: 'new' | 'screen'): WaitCondition[] {
  const conditions: WaitCondition[] = [];
  if (search !== undefined) conditions.push({ type: 'match', pattern: search, flags: '', scope });
  if (searchAbsent !== undefined) conditions.push({ type: 'absent', pattern: searchAbsent, flags: '' });
  if (stableMs !== undefined) conditions.push({ type: 'stable', ms: stableMs, ignoreRows: [] });
  return conditions;
}

/** With this one at the end, and without the oldest of its account when they are too many. */
function keep<T>(list: readonly Kept<T>[], added: Kept<T>): readonly Kept<T>[] {
  const own = list.filter(({ account }) => account === added.account);
  const dropped = own.length < MAX_KEPT ? undefined : own[0];
  return [...list.filter((kept) => kept !== dropped), added];
}

function keptFor<T>(list: readonly Kept<T>[], client: string): T[] {
  return list.flatMap((kept) => (kept.client === client ? [kept.one] : []));
}
