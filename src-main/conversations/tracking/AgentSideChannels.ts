import type { ChatEvent, ChatMessage } from '../../contract/chat/chat.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { SerialQueue } from '../../util/SerialQueue.ts';
import { detach } from '../../util/strayErrors.ts';
import type { PtyChatSession } from '../extraction/PtyChatSession.ts';
import { reconcile } from '../extraction/reconcile/reconcile.ts';
import type { Evidence } from '../extraction/status/Evidence.ts';
import { HookFold } from '../extraction/status/HookFold.ts';
import type { ConversationRecorder } from '../record/ConversationRecorder.ts';
import { AgentLogLocator } from './AgentLogLocator.ts';
import type { HookCall } from './HookServer.ts';
import { readHook } from './readHook.ts';

/** An agent writes its log a moment after it has drawn; it is looked into so long after a turn … */
const LOOK_AFTER_MS = 700;
/** … and once more, for what it wrote late. */
const LOOK_AGAIN_MS = 4_000;

export interface SecondSourcesDeps {
  readonly session: PtyChatSession;
  readonly record: ConversationRecorder;
  readonly clock: Clock;
  readonly log: Log;
  /** Name of the extractor. */
  readonly agent: string;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person lets the agents' logs be read. */
  mayReadLogs(): boolean;
  /** The agent's processes, while they live. */
  pids(): number[];
  /** Which conversation a log was found to be of, for all terminals. */
  readonly logOwners: Map<string, string>;
}

/** One conversation's other tellers. */
interface ConversationSources {
  readonly begun: ChatEvent;
  readonly hooks: HookFold;
  readonly finder: AgentLogLocator;
  sessionId: string | null;
}

/** What the agent tells of itself besides its screen: the calls of its hooks, and its own log. They add to the messages and replace none. */
export class AgentSideChannels implements IDisposable {
  readonly #deps: SecondSourcesDeps;
  #tellers: ConversationSources | null = null;
  #timer: IDisposable | null = null;
  readonly #reading = new SerialQueue();

  constructor(deps: SecondSourcesDeps) {
    this.#deps = deps;
  }

  /** The evidence in a hook's call; what it tells of the conversation is kept. */
  hooked(call: HookCall): Evidence | null {
    const signal = readHook(call);
    const tellers = this.#now();
    if (!signal || !tellers) return signal?.evidence ?? null;
    tellers.sessionId = signal.session.id ?? tellers.sessionId;
    if (signal.piece) tellers.hooks.take(signal.piece, this.#deps.clock.nowMs());
    if (signal.piece && signal.piece.type !== 'delta') this.#lookSoon();
    return signal.evidence;
  }

  /** The agent rests: what was said can be compared. */
  rested(): void {
    this.#now();
    this.#lookSoon();
  }

  /** The agent has gone; resolves when its log was read to the end. */
  async ended(resumeId: string | undefined): Promise<void> {
    this.#timer?.dispose();
    const tellers = this.#tellers;
    if (!tellers) return;
    tellers.sessionId ??= resumeId ?? null;
    await this.#compare(tellers, true);
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  /** Of the conversation that goes on: a `/clear` begins another, with a log of its own. */
  #now(): ConversationSources | null {
    const { session, agent, cwd, home, env } = this.#deps;
    const begun = session.current;
    if (!begun || this.#tellers?.begun.conversationId === begun.conversationId) return this.#tellers;
    if (this.#tellers) detach('AgentSideChannels', this.#compare(this.#tellers, true));
    const finder = new AgentLogLocator({ agent, cwd, startedMs: begun.atMs, home, env });
    this.#tellers = { begun, hooks: new HookFold(), finder, sessionId: null };
    return this.#tellers;
  }

  #lookSoon(): void {
    this.#timer?.dispose();
    const look = (): void => {
      if (this.#tellers) detach('AgentSideChannels', this.#compare(this.#tellers, false));
    };
    this.#timer = this.#deps.clock.after(LOOK_AFTER_MS, () => {
      look();
      this.#timer = this.#deps.clock.after(LOOK_AGAIN_MS, look);
    });
  }

  /** One at a time: readings do not overlap. */
  #compare(tellers: ConversationSources, isEnded: boolean): Promise<void> {
    return this.#reading.run(() => this.#compareNow(tellers, isEnded));
  }

  async #compareNow(tellers: ConversationSources, isEnded: boolean): Promise<void> {
    const { agent, clock, log, mayReadLogs } = this.#deps;
    const options = { agent, fromMs: tellers.begun.atMs, nowMs: clock.nowMs(), isEnded };
    this.#put(reconcile(this.#messages(tellers), tellers.hooks.messages, { ...options, origin: 'hook' }));
    if (!mayReadLogs() || !tellers.finder.isKnown) return;
    try {
      const read = await this.#readLog(tellers);
      if (read) this.#put(reconcile(this.#messages(tellers), read, { ...options, origin: 'log' }));
    } catch (error) {
      log('own_log_unread', { terminalId: tellers.begun.terminalId, reason: String(error) });
    }
  }

  async #readLog({ begun, finder, sessionId }: ConversationSources): ReturnType<typeof readMessages> {
    const { pids, logOwners } = this.#deps;
    const { conversationId } = begun;
    return readMessages(finder, {
      sessionId,
      pids: pids(),
      messages: this.#messages({ begun }),
      isTaken: (path) => (logOwners.get(path) ?? conversationId) !== conversationId,
      took: (path) => logOwners.set(path, conversationId),
    });
  }

  #messages({ begun }: Pick<ConversationSources, 'begun'>): ChatMessage[] {
    return this.#deps.session.messages.filter(({ conversationId }) => conversationId === begun.conversationId);
  }

  #put(changed: readonly ChatMessage[]): void {
    const { session, record } = this.#deps;
    record.write(changed.flatMap((message) => session.put(message)));
  }
}

async function readMessages(
  finder: AgentLogLocator,
  { took, ...hints }: Parameters<AgentLogLocator['read']>[0] & { took(path: string): void },
) {
  const read = await finder.read(hints);
  if (read) took(read.path);
  return read?.messages ?? null;
}
