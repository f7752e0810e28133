import type { ChatEvent, ChatMessage } from '../../contract/chat/chat.ts';
import type { PlanSource } from '../../contract/chat/progress.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { SerialQueue } from '../../util/SerialQueue.ts';
import { detach } from '../../util/strayErrors.ts';
import type { Moment } from '../extraction/merge/Moment.ts';
import type { PtyChatSession } from '../extraction/PtyChatSession.ts';
import { reconcile } from '../extraction/reconcile/reconcile.ts';
import { usageOfTurns } from '../extraction/reconcile/turnUsage.ts';
import type { Evidence } from '../extraction/status/Evidence.ts';
import { HookFold } from '../extraction/status/HookFold.ts';
import type { ConversationRecorder } from '../record/ConversationRecorder.ts';
import { AgentDatabase } from './AgentDatabase.ts';
import { AgentLogLocator, type OwnLogRead } from './AgentLogLocator.ts';
import type { HookCall } from './HookServer.ts';
import { ProgressRecorder } from './ProgressRecorder.ts';
import { readHook } from './readHook.ts';

/** An agent writes its log a moment after it draws, so the log is read this long after a turn … */
const LOOK_AFTER_MS = 700;
/** … and once more, for lines that were written late. */
const LOOK_AGAIN_MS = 4_000;
/** How often the log of a working agent is read for its plan. Only new lines are read. */
const LOOK_AT_WORK_MS = 2_000;
/** A search for a log that is not found looks at up to thousands of files, so the pauses between searches double up to this. */
const MAX_PAUSE_MS = 30_000;

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
  /** Whether the person allows agent logs to be read. */
  mayReadLogs(): boolean;
  /** The agent's processes, while they live. */
  pids(): number[];
  /** The conversation of each log that was found, in all terminals. */
  readonly logOwners: Map<string, string>;
}

/** The sources of one conversation besides the screen. */
interface ConversationSources {
  readonly begun: ChatEvent;
  readonly hooks: HookFold;
  readonly finder: AgentLogLocator | AgentDatabase;
  readonly progress: ProgressRecorder;
  sessionId: string | null;
}

/** The sources of an agent's run besides its screen: the calls of its hooks, and the agent log. They add to messages and never replace one. */
export class AgentSideChannels implements IDisposable {
  readonly #deps: SecondSourcesDeps;
  #tellers: ConversationSources | null = null;
  #timer: IDisposable | null = null;
  #atWork: IDisposable | null = null;
  readonly #reading = new SerialQueue();

  constructor(deps: SecondSourcesDeps) {
    this.#deps = deps;
  }

  /** Returns the evidence in a hook's call; its piece of the conversation is kept. */
  hooked(call: HookCall): Evidence | null {
    const signal = readHook(call);
    const tellers = this.#now();
    if (!signal || !tellers) return signal?.evidence ?? null;
    tellers.sessionId = signal.session.id ?? tellers.sessionId;
    if (signal.piece) tellers.hooks.take(signal.piece, this.#deps.clock.nowMs());
    if (signal.piece && signal.piece.type !== 'delta') this.#lookSoon();
    return signal.evidence;
  }

  /** The agent is at work: its plan may change. */
  worked(): void {
    if (this.#atWork || !this.#now()?.finder.isKnown) return;
    this.#lookAtWork(LOOK_AT_WORK_MS);
  }

  /** The plan that the agent's screen shows. */
  showed(plan: PlanSource): void {
    const tellers = this.#now();
    if (tellers) this.#deps.record.write(tellers.progress.planned(plan, 'screen', this.#moment(tellers)));
  }

  /** The agent rests: the messages can be compared. */
  rested(): void {
    this.#atWork?.dispose();
    this.#atWork = null;
    this.#now();
    this.#lookSoon();
  }

  /** The agent has ended; resolves when its log was read to the end. */
  async ended(resumeId: string | undefined): Promise<void> {
    this.dispose();
    const tellers = this.#tellers;
    if (!tellers) return;
    tellers.sessionId ??= resumeId ?? null;
    await this.#compare(tellers, true);
    this.#releaseLogs(tellers);
  }

  /** A later run may resume the agent's conversation, and then continues the same log. */
  #releaseLogs({ begun }: ConversationSources): void {
    const { logOwners } = this.#deps;
    for (const [path, owner] of logOwners) if (owner === begun.conversationId) logOwners.delete(path);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#atWork?.dispose();
    this.#atWork = null;
  }

  /** The sources of the present conversation. A `/clear` begins another one, which has another log. */
  #now(): ConversationSources | null {
    const { session, agent, cwd, home, env } = this.#deps;
    const begun = session.current;
    if (!begun || this.#tellers?.begun.conversationId === begun.conversationId) return this.#tellers;
    if (this.#tellers) detach('AgentSideChannels', this.#compare(this.#tellers, true));
    const run = { agent, cwd, startedMs: begun.atMs, home, env };
    const database = new AgentDatabase(run);
    const finder = database.isKnown ? database : new AgentLogLocator(run);
    const progress = new ProgressRecorder(session, begun);
    this.#tellers = { begun, hooks: new HookFold(), finder, progress, sessionId: null };
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

  /** One at a time, because readings must not overlap. */
  #compare(tellers: ConversationSources, isEnded: boolean): Promise<void> {
    return this.#reading.run(() => this.#compareNow(tellers, isEnded));
  }

  async #compareNow(tellers: ConversationSources, isEnded: boolean): Promise<void> {
    const { agent, clock } = this.#deps;
    const options = { agent, fromMs: tellers.begun.atMs, nowMs: clock.nowMs(), isEnded };
    this.#put(reconcile(this.#messages(tellers), tellers.hooks.messages, { ...options, origin: 'hook' }));
    const read = await this.#readLog(tellers);
    if (!read) return;
    this.#put(reconcile(this.#messages(tellers), read.messages, { ...options, origin: 'log' }));
    const usage = usageOfTurns(this.#messages(tellers), read.talk);
    this.#deps.record.write(tellers.progress.used(usage, this.#moment(tellers)));
    if (isEnded && read.sessionId !== null)
      this.#deps.record.write(this.#deps.session.resumable(tellers.begun.conversationId, read.sessionId));
  }

  /** Reads the log after the pause, and then repeatedly until the agent rests. */
  #lookAtWork(pauseMs: number): void {
    const waiting = this.#deps.clock.after(pauseMs, () => {
      const tellers = this.#tellers;
      const reading = this.#reading.run(async () => tellers && (await this.#readLog(tellers)) !== null);
      const goOn = (isRead: boolean | null): void => {
        if (this.#atWork === waiting) this.#lookAtWork(isRead ? LOOK_AT_WORK_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS));
      };
      detach('AgentSideChannels', reading.then(goOn));
    });
    this.#atWork = waiting;
  }

  /** Reads the new lines of the agent log, if it may be read and is found, and records the agent's progress. */
  async #readLog(tellers: ConversationSources): Promise<OwnLogRead | null> {
    const { pids, logOwners, log, mayReadLogs, record } = this.#deps;
    const { finder, progress, sessionId } = tellers;
    const { conversationId, terminalId } = tellers.begun;
    if (!mayReadLogs() || !finder.isKnown) return null;
    try {
      const read = await finder.read({
        ...{ sessionId, pids: pids(), messages: this.#messages(tellers) },
        isTaken: (path) => (logOwners.get(path) ?? conversationId) !== conversationId,
      });
      if (!read) return null;
      logOwners.set(read.path, conversationId);
      record.write(progress.planned(read.plan, 'log', this.#moment(tellers)));
      record.write(progress.delegated(read.subAgents, this.#moment(tellers)));
      return read;
    } catch (error) {
      log('own_log_unread', { terminalId, reason: String(error) });
      return null;
    }
  }

  /** Logs have no offsets of the terminal's bytes, so the last event's offset is used. */
  #moment({ begun }: ConversationSources): Moment {
    const { session, clock } = this.#deps;
    return { at: session.events.at(-1)?.at ?? begun.at, atMs: clock.nowMs() };
  }

  #messages({ begun }: Pick<ConversationSources, 'begun'>): ChatMessage[] {
    return this.#deps.session.messages.filter(({ conversationId }) => conversationId === begun.conversationId);
  }

  #put(changed: readonly ChatMessage[]): void {
    const { session, record } = this.#deps;
    record.write(changed.flatMap((message) => session.put(message)));
  }
}
