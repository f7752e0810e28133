import { basename } from 'node:path';
import type { ChatMessage } from '../../contract/chat/chat.ts';
import type { PlanSource, SubAgent } from '../../contract/chat/progress.ts';
import { OWN_LOGS } from '../extraction/extractors/agents/logs.ts';
import { chooseLog } from '../extraction/reconcile/chooseLog.ts';
import { parseObject } from '../extraction/reconcile/jsonFields.ts';
import type { LogMessage, LogParser, LogPlace, LogTalk, OwnLog } from '../extraction/reconcile/LogMessage.ts';
import { UsageFold, type UsageReader } from '../extraction/reconcile/LogUsage.ts';
import { listLogs } from './listLogs.ts';
import { environmentOf, openFilesOf } from './processFacts.ts';
import { TailFile } from './TailFile.ts';

/** Most logs that may be the run's; there is one for each agent that worked at the same time. */
const MAX_CANDIDATES = 24;
/** Clocks of file systems are coarse, and an agent opens its log before its first prompt is seen. */
export const EARLIER_MS = 10_000;
/** Sub-agents whose logs are read for those that they start. */
const MAX_SIDES = 100;

/** The conversation whose log is searched. */
export interface OwnLogRun {
  /** Name of the extractor. */
  readonly agent: string;
  readonly cwd: string;
  readonly startedMs: number;
  readonly home: string;
  /** The core's environment, for variables that cannot be read from the agent's. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What else is known at the time of a reading. */
export interface OwnLogHints {
  /** From a hook, a command line or the exit lines. */
  readonly sessionId?: string | null;
  /** The agent's processes, while they live. */
  readonly pids?: readonly number[];
  readonly messages: readonly ChatMessage[];
  /** Whether the file belongs to another conversation. */
  isTaken?(path: string): boolean;
}

export interface OwnLogRead {
  readonly path: string;
  readonly sessionId: string | null;
  readonly messages: readonly LogMessage[];
  /** See `LogParser`. */
  readonly plan: PlanSource | null;
  readonly subAgents: readonly SubAgent[];
  /** What the usage of turns is read from. */
  readonly talk: LogTalk;
}

interface Candidate {
  readonly file: TailFile;
  content: Content;
}

/** What the lines of a log so far say. */
interface Content {
  readonly parser: LogParser;
  readonly reader: UsageReader;
  readonly usage: UsageFold;
}

function contentOf(log: OwnLog): Content {
  return { parser: log.newParser(), reader: log.newUsage(), usage: new UsageFold() };
}

/**
 * Finds the agent log of one conversation and reads its new lines. Finds it by session id, by the process that has it open, or by folder
 * and prompts; if two logs remain, it takes neither. Never writes.
 */
export class AgentLogLocator {
  readonly #run: OwnLogRun;
  readonly #log: OwnLog | null;
  readonly #candidates = new Map<string, Candidate>();
  /** Logs of sub-agents. */
  readonly #sides = new Map<string, TailFile>();
  #found: Candidate | null = null;
  #env: Record<string, string> = {};

  constructor(run: OwnLogRun, logs: readonly OwnLog[] = OWN_LOGS) {
    this.#run = run;
    this.#log = logs.find(({ agent }) => agent === run.agent) ?? null;
  }

  /** Whether logs of this agent can be read at all. */
  get isKnown(): boolean {
    return this.#log !== null;
  }

  /** Returns the content of the log so far; null while it is not found, or once it is gone. Calls must not overlap. */
  async read(hints: OwnLogHints): Promise<OwnLogRead | null> {
    if (!this.#log) return null;
    this.#found ??= await this.#find(this.#log, hints);
    if (!this.#found || !(await this.#readOn(this.#found))) return null;
    const { file } = this.#found;
    const { parser, usage } = this.#found.content;
    const place = this.#log.sideLogs?.(file.path);
    if (place) await this.#readSides(place, parser);
    return {
      path: file.path,
      sessionId: parser.session.id,
      messages: parser.messages,
      plan: parser.plan,
      subAgents: parser.subAgents,
      talk: { messages: parser.messages, usage: usage.all },
    };
  }

  async #find(log: OwnLog, hints: OwnLogHints): Promise<Candidate | null> {
    const { cwd, startedMs } = this.#run;
    const open = await this.#askProcesses(log, hints.pids ?? []);
    const env = { ...this.#run.env, ...this.#env };
    const places = log.places({ home: this.#env.HOME ?? this.#run.home, env, cwd });
    const files = await listLogs(places, startedMs - EARLIER_MS, MAX_CANDIDATES);
    const readable: Candidate[] = [];
    for (const { path } of files) {
      const candidate = this.#candidates.get(path) ?? { file: new TailFile(path), content: contentOf(log) };
      this.#candidates.set(path, candidate);
      if (await this.#readOn(candidate)) readable.push(candidate);
    }
    const found = this.#choose(log, readable, { ...hints, open });
    if (found) this.#candidates.clear();
    return found;
  }

  #choose(log: OwnLog, all: readonly Candidate[], hints: OwnLogHints & { open: readonly string[] }): Candidate | null {
    const { sessionId } = hints;
    if (sessionId) return all.find(({ content }) => content.parser.session.id === sessionId) ?? null;
    const own = all.filter(
      ({ file, content }) => log.isOf(content.parser.session, this.#run.cwd) && !hints.isTaken?.(file.path),
    );
    const held = own.filter(({ file }) => hints.open.includes(file.path));
    if (held.length === 1) return held[0] ?? null;
    return (
      own[
        chooseLog(
          hints.messages,
          own.map(({ content }) => content.parser.messages),
        )
      ] ?? null
    );
  }

  /** Reads the variables of the agent's folders from its environment; returns the files that it has open. */
  async #askProcesses(log: OwnLog, pids: readonly number[]): Promise<string[]> {
    const open: string[] = [];
    for (const pid of pids) {
      this.#env = { ...this.#env, ...(await environmentOf(pid, ['HOME', ...log.envNames])) };
      open.push(...(await openFilesOf(pid)));
    }
    return open;
  }

  /** Reads the new lines of the logs of sub-agents; a new log is read from its start. */
  async #readSides(place: LogPlace, parser: LogParser): Promise<void> {
    for (const { path } of await listLogs([place], this.#run.startedMs - EARLIER_MS, MAX_SIDES)) {
      const side = this.#sides.get(path) ?? new TailFile(path);
      this.#sides.set(path, side);
      await side.read((line) => parser.feed(line, basename(path)));
    }
  }

  async #readOn(candidate: Candidate): Promise<boolean> {
    const lines: string[] = [];
    const read = await candidate.file.read((line) => lines.push(line));
    if (read?.isAnew && this.#log) candidate.content = contentOf(this.#log);
    const { parser, reader, usage } = candidate.content;
    for (const record of lines.map(parseObject)) {
      if (!record) continue;
      parser.take(record);
      const entry = reader.take(record);
      if (entry) usage.put(entry, parser.messages.length);
    }
    return read !== null;
  }
}
