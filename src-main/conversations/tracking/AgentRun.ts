import type { AgentStatus, ChatLine, ChatMessage } from '../../contract/chat/chat.ts';
import type { IExtractor, ScreenStep } from '../../contract/chat/extractor.ts';
import type { TerminalEvent } from '../../contract/event.ts';
import type { ScreenHandle } from '../../screen/worker/ScreenHandle.ts';
import type { Clock } from '../../util/Clock.ts';
import { Disposables, type IDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';
import type { ExtractorFactory } from '../extraction/extractors/ExtractorFactory.ts';
import { PtyChatSnapshotExtractor } from '../extraction/PtyChatSnapshotExtractor.ts';
import { SentText } from '../extraction/SentText.ts';
import { AgentStatusJudge, type JudgedState } from '../extraction/status/AgentStatusJudge.ts';
import type { Evidence } from '../extraction/status/Evidence.ts';
import { AgentSideChannels, type SecondSourcesDeps } from './AgentSideChannels.ts';
import { eventEvidence, screenEvidence } from './evidence.ts';
import type { FullRedraw } from './FullRedraw.ts';
import { FullRedrawScheduler } from './FullRedrawScheduler.ts';
import type { HookCall } from './HookServer.ts';
import { programVersion } from './programVersion.ts';
import { isAlive, type RunEnd, readAfterEnd } from './runEnd.ts';

export interface AgentRunDeps extends Omit<SecondSourcesDeps, 'agent' | 'cwd'> {
  readonly factory: ExtractorFactory;
  readonly screen: ScreenHandle;
  readonly sweep: FullRedraw;
  /** Whether full redraws may run; a setting. */
  mayRunSweeps(): boolean;
  /** Passes the status to the tab. */
  tell(status: AgentStatus | null): void;
}

/** Longest wait at the end of a run, in case a worker hangs or a disk does not answer. */
const END_LIMIT_MS = 3_000;

/** Resolves with `done`, or when it takes too long. */
function timely(done: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = clock.after(END_LIMIT_MS, resolve);
    done.then(resolve, reject).finally(() => late.dispose());
  });
}

export interface AgentStart {
  /** Name of the extractor, from the process tree. */
  readonly name: string;
  /** See `AgentRun.pid`. */
  readonly pid?: number | null;
  readonly cwd: string | null;
  readonly blockId: string | null;
  /** Its command line, as far as it is known. */
  readonly argv?: readonly string[];
  /** Offset in output.raw at which it begins. */
  readonly at: number;
  readonly evidence: Evidence;
}

/** One run of an agent in a terminal: its screens become messages, and the evidence of its state becomes a status. */
export class AgentRun implements IDisposable {
  readonly name: string;
  /** Its process; null if the system reports no processes. */
  readonly pid: number | null;
  readonly #deps: AgentRunDeps;
  readonly #extractor: PtyChatSnapshotExtractor;
  readonly #judge: AgentStatusJudge;
  readonly #owned = new Disposables();
  readonly #plan: FullRedrawScheduler;
  readonly #others: AgentSideChannels;
  /** Its end; null while it runs. */
  #ended: RunEnd | null = null;
  /** Screens that were read after its process had ended. Its own last output or the next program's: the end decides. */
  readonly #held: ScreenStep[] = [];
  /** All actors of this run, in the order of their last Return. */
  readonly #actors = new Set<string>();
  readonly #keys = new SentText();
  #due: IDisposable | null = null;
  #at: number;

  constructor(deps: AgentRunDeps, { name, evidence, pid = null, argv = [], ...start }: AgentStart) {
    const { session, record, factory, clock, screen, sweep } = deps;
    this.name = name;
    this.pid = pid;
    this.#deps = deps;
    this.#at = start.at;
    const atMs = clock.nowMs();
    this.#judge = new AgentStatusJudge(clock.monotonicMs());
    this.#extractor = new PtyChatSnapshotExtractor(session, factory, name);
    this.#plan = this.#owned.add(
      new FullRedrawScheduler({
        clock,
        start: (...sweeping) => deps.mayRunSweeps() && sweep.start(...sweeping),
        isRunning: () => sweep.isRunning,
        drawn: () => sweep.drawn(),
      }),
    );
    this.#others = this.#owned.add(new AgentSideChannels({ ...deps, agent: name, cwd: start.cwd ?? deps.home }));
    record.write(this.#extractor.begin({ ...start, argv, atMs }));
    this.note(evidence);
    detach('AgentRun', this.#readVersion(argv));
    this.#owned.add(screen.followSteps((step) => this.#take(step)));
  }

  /** See `inputLine`. */
  get draft(): string | undefined {
    return this.#extractor.draft;
  }

  get isAlive(): boolean {
    return isAlive(this.pid);
  }

  /** The extractor of the running program; null for an unknown program. */
  get extractor(): IExtractor | null {
    return this.#extractor.extractor ?? this.#deps.factory.byName(this.name);
  }

  note(evidence: Evidence): void {
    this.#judged(this.#judge.note(evidence, this.#deps.clock.monotonicMs()));
  }

  /** The welcome may show the version too, later or never. */
  async #readVersion(argv: readonly string[]): Promise<void> {
    const packages = this.extractor?.packages ?? [];
    if (packages.length === 0) return;
    const { session, record, pids } = this.#deps;
    const version = await programVersion(packages, argv, pids());
    if (version !== null && this.#ended === null) record.write(session.versioned(version));
  }

  /** Takes what the program reports besides its screen. */
  handleEvent(event: TerminalEvent): void {
    const evidence = eventEvidence(event, this.extractor);
    if (evidence) this.note(evidence);
    if (event.type === 'screenCleared' && !this.#deps.sweep.isRunning) this.#at = event.at;
  }

  /** Takes keys of `actor`. A prompt belongs to the actor whose Return sent it. */
  typed(data: string | Uint8Array, actor: string): void {
    const keys = typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
    this.#deps.session.answers.typed(keys, actor, this.#deps.clock.nowMs());
    for (const text of this.#keys.typed(keys)) {
      this.#actors.delete(actor);
      this.#actors.add(actor);
      this.#deps.session.sent(text);
    }
  }

  /** Call when the newest screen has the pointer at that option. */
  pointed(option: number): void {
    this.#deps.session.answers.pointed(option);
  }

  resized(at: number): void {
    const { session, record, clock } = this.#deps;
    record.write(session.resized({ at, atMs: clock.nowMs() }));
  }

  /** One of the agent's hooks has called. */
  hooked(call: HookCall): void {
    const evidence = this.#others.hooked(call);
    if (evidence) this.note(evidence);
  }

  /** The agent has ended. Resolves when its last screen was read and compared with the agent log. */
  async end(end: RunEnd): Promise<void> {
    const { at } = end;
    const { record, clock, screen, log, tell } = this.#deps;
    if (this.#ended !== null) return;
    this.#ended = end;
    this.#due?.dispose();
    tell(null);
    for (const step of this.#held.splice(0)) this.#take(step);
    await timely(screen.lastStep(), clock).catch((error: unknown) =>
      log('agent_end_unseen', { reason: String(error) }),
    );
    const resumeId = this.#extractor.last?.resumeId;
    record.write(this.#read(() => this.#extractor.end({ at, atMs: clock.nowMs() })));
    await timely(this.#others.ended(resumeId), clock);
    this.dispose();
  }

  dispose(): void {
    this.#due?.dispose();
    this.#owned.dispose();
  }

  #take(step: ScreenStep): void {
    const { record } = this.#deps;
    if (this.#ended === null && !this.isAlive) return void this.#held.push(step);
    if (this.#ended !== null && step.at > this.#ended.at) return; // output of the shell
    this.#at = step.at;
    const actor = [...this.#actors].at(-1) ?? 'user';
    const lines = this.#read(() => this.#extractor.take(step, actor).map((line) => this.#attributed(line)));
    record.write(lines);
    const { last } = this.#extractor;
    if (!last) return;
    if (this.#ended !== null) return;
    this.note(screenEvidence(last));
    if (last.plan && !(last.plan.isCut && last.isCovered)) this.#others.showed(last.plan);
    this.#plan.seen({ step, extraction: last, sweepMs: this.extractor?.sweepMs ?? null, isNew: lines.length > 0 });
  }

  /** With several actors, only the last prompt's actor is certain, so a new message above that prompt gets the actor `unknown`. */
  #attributed(line: ChatLine): ChatLine {
    if (this.#actors.size < 2 || !('kind' in line) || line.startedMs !== line.updatedMs) return line;
    const asked = this.#deps.session.messages.findLast(({ kind }) => kind === 'user');
    if (!asked || line.order >= asked.order) return line;
    const own: ChatMessage = { ...line, actor: 'unknown' };
    this.#deps.session.put(own);
    return own;
  }

  #read(read: () => ChatLine[]): ChatLine[] {
    return this.#ended?.isExact === false ? readAfterEnd(this.#deps.session, read) : read();
  }

  #judged(status: JudgedState | null): void {
    this.#wakeAtDue();
    if (!status) return;
    const { session, record, clock } = this.#deps;
    const { state, evidence } = status;
    const lines: ChatLine[] = session.noted(
      { type: 'stateChanged', state, evidence },
      { at: this.#at, atMs: clock.nowMs() },
    );
    record.write(lines);
    this.#tell(status);
    if (state === 'working') this.#others.worked();
    if (state === 'idle' || state === 'needs_approval' || state === 'needs_input') this.#others.rested();
  }

  #tell({ state, evidence, sinceMs, asks }: JudgedState): void {
    const { session, tell, clock } = this.#deps;
    const known = this.extractor;
    tell({
      name: known?.name ?? this.name,
      label: known?.label ?? this.name,
      state,
      evidence,
      sinceMs: Math.round(clock.nowMs() - (clock.monotonicMs() - sinceMs)),
      asks,
      conversationId: session.current?.conversationId ?? '',
    });
  }

  #wakeAtDue(): void {
    this.#due?.dispose();
    this.#due = null;
    const { dueMs } = this.#judge;
    const { clock } = this.#deps;
    if (dueMs === null) return;
    this.#due = clock.after(Math.max(1, dueMs - clock.monotonicMs()), () =>
      this.#judged(this.#judge.tick(clock.monotonicMs())),
    );
  }
}
