import type { AgentState } from '../../contract/chat/chat.ts';
import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { CommandLines, ScreenReading, WaitCondition } from '../../contract/screen/screen.ts';
import { LINES_ABOVE } from '../../redaction/redactedLines.ts';
import { Emitter } from '../../util/Emitter.ts';
import { detach } from '../../util/strayErrors.ts';
import type { McpReadService } from '../server/McpReadService.ts';
import { checkPattern } from './checkPattern.ts';

/** Open watches per account, whatever client names it uses. */
const MAX_WATCHES = 16;
/** Results kept per account; the same limit applies to its cancelled watches. */
const MAX_KEPT = 100;

export interface NotifyWish {
  readonly terminalId: string;
  readonly message: string;
  readonly ttlMs: number;
  readonly onExit: boolean;
  readonly search?: string | undefined;
  readonly searchAbsent?: string | undefined;
  readonly stableMs?: number | undefined;
  /** A block of that terminal: the watch waits for its end. */
  readonly blockId?: string | undefined;
  readonly agentState?: AgentState | undefined;
  /** Keep the screen at the moment of the result. */
  readonly wantsScreen?: boolean | undefined;
}

export interface Watch {
  readonly id: string;
  readonly client: string;
  readonly terminalId: string;
  readonly message: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** State of the search when the watch began; null without one. */
  readonly search: WatchSearch | null;
}

export interface WatchSearch {
  /** The text was on the screen when the watch began. That does not meet the watch: the text must appear again. */
  readonly isImmediate: boolean;
  readonly commandLines: CommandLines;
}

/** The result of a watch: exactly one for each watch that was not cancelled. */
export interface WatchResult extends Watch {
  readonly outcome: 'matched' | 'exited' | 'expired';
  readonly atMs: number;
  /** The matched text, redacted. */
  readonly match: string | null;
  /** Why the watch expired early; null otherwise. */
  readonly reason: string | null;
  /** The screen, if wanted and still available; with rows above it, which are needed to find its secrets. */
  readonly screen: ScreenReading | null;
}

/** The state of a watch. */
export type WatchState =
  | { readonly type: 'open'; readonly watch: Watch }
  | { readonly type: 'noted'; readonly watch: Watch; readonly noted: WatchResult }
  | { readonly type: 'cancelled'; readonly watch: Watch; readonly atMs: number };

/** An entry of the client with this name; limits count by account. */
interface Kept<T> {
  readonly client: string;
  readonly account: string;
  readonly one: T;
}

type Found = Pick<WatchResult, 'outcome' | 'match' | 'reason'>;

const EXITED: Found = { outcome: 'exited', match: null, reason: null };

/** Watches terminals for clients that do not wait themselves, and keeps the results for each client. */
export class WatchService {
  readonly #desk: McpReadService;
  readonly #randomId: (bytes: number) => string;
  readonly #watches = new Map<string, { watch: Watch; account: string; stop: AbortController }>();
  #noted: readonly Kept<WatchResult>[] = [];
  /** Results that `fresh` has not returned yet. */
  #fresh: readonly Kept<WatchResult>[] = [];
  #cancelled: readonly Kept<{ watch: Watch; atMs: number }>[] = [];
  readonly #reports = new Emitter<string>();
  /** Fires with the name of a client that has a new result. */
  readonly onNoted = this.#reports.on;

  constructor(desk: McpReadService, randomId: (bytes: number) => string) {
    this.#desk = desk;
    this.#randomId = randomId;
  }

  /**
   * Throws if the terminal cannot be watched or an expression cannot be used. `push` is called once with the result unless the watch is cancelled;
   * the result is kept in any case.
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

  /** False if the client has no open watch of this id. */
  cancel(id: string, client: string): boolean {
    const open = this.#watches.get(id);
    if (!open || open.watch.client !== client) return false;
    const { watch, account, stop } = open;
    this.#watches.delete(id);
    stop.abort();
    this.#cancelled = keep(this.#cancelled, { client, account, one: { watch, atMs: this.#desk.nowMs() } });
    return true;
  }

  /** Null if the client has no watch of this id or its result is no longer kept. */
  state(id: string, client: string): WatchState | null {
    const watch = this.list(client).find((one) => one.id === id);
    if (watch) return { type: 'open', watch };
    const noted = this.noted(client).find((one) => one.id === id);
    if (noted) return { type: 'noted', watch: noted, noted };
    const cancelled = keptFor(this.#cancelled, client).find((one) => one.watch.id === id);
    return cancelled ? { type: 'cancelled', ...cancelled } : null;
  }

  /** All kept results of a client, oldest first. */
  noted(client: string): readonly WatchResult[] {
    return keptFor(this.#noted, client).map((noted) => this.#shown(noted));
  }

  /** The results since the last call. */
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
    ]).catch(() => EXITED); // the terminal is closed
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

  /** Reports only `exited` for a terminal that has become private since. */
  #shown(noted: WatchResult): WatchResult {
    if (this.#desk.record.isSeen(noted.terminalId)) return noted;
    return { ...noted, ...EXITED, screen: null };
  }

  async #screen(terminalId: string): Promise<ScreenReading | null> {
    const reading = await this.#desk.screens.read(terminalId, { scrollback: LINES_ABOVE }).catch(() => null); // closed meanwhile
    return reading && 'frame' in reading ? reading : null;
  }

  /** Tries the search expressions on the current screen. */
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
      // the expression was fast enough at first, but too slow on later output
      case 'bad-pattern':
      case 'slow-pattern':
        return { outcome: 'expired', match: null, reason: result.reason ?? 'the expression cannot be used' };
    }
  }

  #onAgent({ agentState, terminalId }: NotifyWish, signal: AbortSignal): Promise<Found> {
    return new Promise((resolve) => {
      const { live } = this.#desk.record.terminal(terminalId);
      if (agentState === undefined || !live) return; // another condition decides
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
      if (blockId === undefined) return; // another condition decides
      const look = async (): Promise<void> => {
        const block = await this.#desk.record.block(terminalId, blockId).catch(() => null); // the block may not have begun
        if (block && block.status !== 'running') resolve({ outcome: 'matched', match: null, reason: null });
      };
      const following = this.#desk.feed.onChanged(() => detach('WatchService', look()));
      signal.addEventListener('abort', () => following.dispose(), { once: true });
      detach('WatchService', look());
    });
  }
}

/** The conditions about the screen. `scope`: where a search looks. */
function conditionsOf({ search, searchAbsent, stableMs }: NotifyWish, scope: 'new' | 'screen'): WaitCondition[] {
  const conditions: WaitCondition[] = [];
  if (search !== undefined) conditions.push({ type: 'match', pattern: search, flags: '', scope });
  if (searchAbsent !== undefined) conditions.push({ type: 'absent', pattern: searchAbsent, flags: '' });
  if (stableMs !== undefined) conditions.push({ type: 'stable', ms: stableMs, ignoreRows: [] });
  return conditions;
}

/** Appends an entry and drops the account's oldest one beyond the limit. */
function keep<T>(list: readonly Kept<T>[], added: Kept<T>): readonly Kept<T>[] {
  const own = list.filter(({ account }) => account === added.account);
  const dropped = own.length < MAX_KEPT ? undefined : own[0];
  return [...list.filter((kept) => kept !== dropped), added];
}

function keptFor<T>(list: readonly Kept<T>[], client: string): T[] {
  return list.flatMap((kept) => (kept.client === client ? [kept.one] : []));
}
