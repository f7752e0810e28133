import type { Block } from '../../contract/block.ts';
import type { AgentStatus } from '../../contract/chat/chat.ts';
import type { TerminalEvent } from '../../contract/event.ts';
import type { ForegroundProcess } from '../../pty/foreground.ts';
import type { ScreenHandle } from '../../screen/worker/ScreenHandle.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { SerialQueue } from '../../util/SerialQueue.ts';
import { detach } from '../../util/strayErrors.ts';
import { ExtractorFactory } from '../extraction/extractors/ExtractorFactory.ts';
import type { PastMessage } from '../extraction/merge/replay.ts';
import { PtyChatSession } from '../extraction/PtyChatSession.ts';
import { type AgentFound, findAgent } from '../extraction/status/findAgent.ts';
import type { ConversationRecorder } from '../record/ConversationRecorder.ts';
import { AgentRun } from './AgentRun.ts';
import type { FullRedraw } from './FullRedraw.ts';
import type { HookCall } from './HookServer.ts';
import { folderUnless } from './processFacts.ts';
import type { RunEnd } from './runEnd.ts';

/** In the first seconds of a command, launchers start other programs; later the foreground processes rarely change. */
const YOUNG_MS = 20_000;
const LOOK_YOUNG_MS = 400;
const LOOK_OLD_MS = 5_000;

/** A process exists before the shell's BEGIN mark of its command is read. Without a mark for this time, the shell sends no marks. */
const MARK_MS = 1_000;

/**
 * An agent without its process has ended, and so has its run after this time: until then the shell may report the exact end. It takes longer if the
 * shell itself has the terminal, because the report may only be late.
 */
const LOST_MS = 400;
const LOST_AT_SHELL_MS = 5_000;

/** What `AgentWatch` needs of its terminal. */
export interface WatchedTerminal {
  readonly id: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly randomId: (bytes: number) => string;
  readonly record: ConversationRecorder;
  readonly screen: ScreenHandle;
  readonly sweep: FullRedraw;
  /** See AgentSideChannels. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logOwners: Map<string, string>;
  /** See `readPastTalk`. */
  pastTalk(agent: string): Promise<readonly PastMessage[]>;
  mayReadLogs(): boolean;
  /** Whether full redraws may run; a setting. */
  mayRunSweeps(): boolean;
  /** See `PtyProcess.foregroundProcesses`. */
  foreground(): ForegroundProcess[] | null;
  /** The running command, if the shell reports it. */
  block(): Block | null;
  place(): { cwd: string; at: number };
  /** Passes the agent's status to the tab. */
  tell(status: AgentStatus | null): void;
}

/** What all terminals share about agents. */
export type AgentsShared = Pick<
  WatchedTerminal,
  'home' | 'env' | 'logOwners' | 'pastTalk' | 'mayReadLogs' | 'mayRunSweeps'
>;

/** Finds coding agents in one terminal and records their conversations while they run. */
export class AgentWatch {
  readonly #of: WatchedTerminal;
  readonly #factory = new ExtractorFactory();
  #session: PtyChatSession | null = null;
  #run: AgentRun | null = null;
  /** When a look first missed the run's process, and the offset then. */
  #lost: { ms: number; at: number } | null = null;
  /** Offset at which the last run ended. */
  #endedAt = 0;
  #beganMs: number;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #nextLook: IDisposable | null = null;
  #isStarting = false;
  /** When an agent was first found whose command is not known yet. */
  #foundEarlyMs: number | null = null;
  readonly #ending = new SerialQueue();

  constructor(of: WatchedTerminal) {
    this.#of = of;
    this.#beganMs = of.clock.monotonicMs();
  }

  /** The agent that runs now. */
  get run(): AgentRun | null {
    return this.#run;
  }

  /**
   * Whether the agent has the terminal now. In `agent; other`, what `other` draws may look like the agent's question. True if the system reports no
   * processes.
   */
  get hasTerminal(): boolean {
    return this.#run !== null && this.#isAmong(this.#of.foreground());
  }

  /** Gives a conversation of this terminal a title; '' gives it that of its first prompt again. False if there is no such conversation. */
  async name(conversationId: string, title: string): Promise<boolean> {
    const { id, record } = this.#of;
    await record.load();
    const own = this.#session?.titled(conversationId, title) ?? [];
    const whole = async () => PtyChatSession.restore(id, await record.allLines(), () => ''); // the session forgets old conversations
    const named = own.length > 0 ? own : (await whole()).titled(conversationId, title);
    record.write(named);
    return named.length > 0;
  }

  handleEvent(event: TerminalEvent): void {
    this.#run?.handleEvent(event);
    if (event.type === 'screenCleared' && !this.#run) this.#screenCleared(event.at);
    if (event.type === 'begin') {
      this.#beganMs = this.#of.clock.monotonicMs();
      this.#lookedMs = Number.NEGATIVE_INFINITY;
      this.#foundEarlyMs = null;
    }
    if ((event.type === 'end' || event.type === 'prompt') && event.trusted)
      this.exited({ at: event.end, isExact: true });
  }

  /** Call at output: it may be an agent's. */
  look(): void {
    const nowMs = this.#of.clock.monotonicMs();
    const isSteady = nowMs - this.#beganMs >= YOUNG_MS && this.#run?.isAlive !== false;
    const everyMs = isSteady ? LOOK_OLD_MS : LOOK_YOUNG_MS;
    if (this.#isStarting) return;
    const waitMs = this.#lookedMs + everyMs - nowMs;
    if (waitMs > 0) return this.#lookIn(waitMs);
    this.#lookedMs = nowMs;
    const processes = this.#of.foreground();
    const argvs = processes?.map(({ argv }) => argv) ?? [];
    const command = processes ? null : (this.#of.block()?.cmd ?? null); // without processes, only the command's words are known
    const found = findAgent(argvs, command, this.#factory.programs);
    if (this.#run && processes?.length === 0 && this.#of.block() === null) return this.exited();
    this.#endIfLost(processes, nowMs);
    if (found && this.#run?.name !== found.name) {
      if (this.#hasBegun(nowMs)) detach('AgentWatch', this.#start(found, processes ?? []));
      else this.#lookIn(LOOK_YOUNG_MS);
    }
  }

  #isAmong(processes: readonly ForegroundProcess[] | null): boolean {
    const own = this.#run?.pid ?? null;
    return own === null || processes === null || processes.some(({ pid }) => pid === own);
  }

  /** Ends the run of `agent` in `agent; other`, which has no mark of its own. */
  #endIfLost(processes: readonly ForegroundProcess[] | null, nowMs: number): void {
    if (!this.#run || this.#isAmong(processes)) {
      this.#lost = null;
      return;
    }
    this.#lost ??= { ms: nowMs, at: this.#of.place().at };
    const limitMs = processes?.length === 0 ? LOST_AT_SHELL_MS : LOST_MS;
    if (nowMs - this.#lost.ms >= limitMs) this.exited({ at: this.#lost.at, isExact: false });
    else this.#lookIn(LOST_MS);
  }

  /** An agent may draw its first screen right after a look, and then wait for a prompt without printing anything more. */
  #lookIn(waitMs: number): void {
    this.#nextLook ??= this.#of.clock.after(waitMs, () => {
      this.#nextLook = null;
      this.look();
    });
  }

  /** A conversation begins with its command: before that, it would get the offset of another command, and no card. */
  #hasBegun(nowMs: number): boolean {
    if (this.#of.block() !== null) return true;
    this.#foundEarlyMs ??= nowMs;
    return nowMs - this.#foundEarlyMs >= MARK_MS;
  }

  /** Takes keys for the agent. */
  typed(data: string | Uint8Array, actor: string): void {
    this.#run?.typed(data, actor);
  }

  resized(): void {
    this.#run?.resized(this.#of.place().at);
  }

  /** The command, or the shell, has ended. */
  exited(end: RunEnd = { at: this.#of.place().at, isExact: true }): void {
    const run = this.#run;
    this.#run = null;
    this.#lost = null;
    if (!run) return;
    this.#endedAt = end.at;
    detach(
      'AgentWatch',
      this.#ending.run(() => this.#end(run, end)),
    );
  }

  async #end(run: AgentRun, end: RunEnd): Promise<void> {
    await run.end(end);
    this.#session?.recall([]);
  }

  /** One of an agent's hooks has called from this terminal. */
  hooked(call: HookCall): void {
    if (this.#run?.name === call.agent) this.#run.hooked(call);
  }

  /** Resolves when all messages of ended agents are in the record. */
  settled(): Promise<void> {
    return this.#ending.idle();
  }

  /** `isLeft`: the agent still runs, and the next core continues its conversation. */
  async close(isLeft = false): Promise<void> {
    this.#nextLook?.dispose();
    if (isLeft) this.#run?.dispose();
    else this.exited();
    await this.settled();
  }

  async #start(found: AgentFound, processes: readonly ForegroundProcess[]): Promise<void> {
    this.#isStarting = true;
    this.exited(this.#lost ? { at: this.#lost.at, isExact: false } : undefined);
    const { record, place, block, pastTalk } = this.#of;
    let folder: string | null = null;
    try {
      const [past, own] = await Promise.all([
        pastTalk(found.name),
        this.#folderOf(found),
        record.load(),
        this.#ending.idle(),
      ]);
      folder = own;
      this.#session ??= await this.#restored();
      this.#session.forgetPast();
      this.#session.recall(past);
    } finally {
      this.#isStarting = false;
    }
    const running = block();
    const { cwd, at } = place();
    this.#run = new AgentRun(
      {
        ...this.#of,
        session: this.#session,
        factory: this.#factory,
        pids: () => (this.#of.foreground() ?? []).map(({ pid }) => pid),
      },
      {
        name: found.name,
        pid: processes.find(({ argv }) => argv.join('\0') === found.argv.join('\0'))?.pid ?? null,
        argv: found.argv,
        cwd: folder ?? running?.cwd ?? cwd,
        blockId: running?.id ?? null,
        at: Math.max(running?.rawStart ?? at, this.#endedAt),
        evidence: {
          channel: 'process',
          state: 'starting',
          rule: `a ${found.by} of that name`,
          line: found.argv.join(' '),
        },
      },
    );
  }

  /** Reads the folder of the agent's process, which differs from the command's after `cd there && agent`. Null if it is the same or unknown. */
  async #folderOf({ argv }: AgentFound): Promise<string | null> {
    const process = this.#of.foreground()?.find((one) => one.argv.join('\0') === argv.join('\0'));
    const said = this.#of.block()?.cwd ?? this.#of.place().cwd;
    return process ? folderUnless(process.pid, said) : null;
  }

  /** A running agent clears its own screen; after its end the person clears the terminal. */
  #screenCleared(at: number): void {
    const { record, clock } = this.#of;
    const note = () => {
      if (!this.#run && this.#session) record.write(this.#session.screenCleared({ at, atMs: clock.nowMs() }));
    };
    detach('AgentWatch', this.#ending.run(note));
  }

  /** Restores the session from the record, so that it continues the log. */
  async #restored(): Promise<PtyChatSession> {
    const { id, record, randomId } = this.#of;
    return PtyChatSession.restore(id, await record.allLines(), () => randomId(6));
  }
}
