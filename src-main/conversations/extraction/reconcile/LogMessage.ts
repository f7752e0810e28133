import type { ChatTool } from '../../../contract/chat/chat.ts';
import type { PlanSource, SubAgent } from '../../../contract/chat/progress.ts';
import type { Fields } from './jsonFields.ts';
import type { PlacedUsage, UsageReader } from './LogUsage.ts';

/** A message of a second source: the agent log, or the agent's hooks. A tool's call and result are one message. */
export interface LogMessage {
  /** The source's id for it, or an id that is the same whenever the source is read. */
  readonly id: string;
  readonly kind: 'user' | 'model' | 'tool' | 'command';
  /** Markdown; '' for a tool. */
  readonly text: string;
  readonly tool?: LogTool;
  /** ms since 1970; null where the source does not say. */
  readonly atMs: number | null;
}

export interface LogTool {
  readonly name: string;
  /** Its whole input, as people read it. */
  readonly input: string;
  /** The part that fits on a screen: the command, the path, the pattern. */
  readonly subject: string;
  /** Absent until the tool has ended. */
  readonly output?: string;
  readonly status?: ChatTool['status'];
}

/** The session of a log, as its first lines name it. */
export interface LogSession {
  readonly id: string | null;
  readonly cwd: string | null;
  /** A digest of the folder, if the log has this instead of the path. */
  readonly cwdDigest: string | null;
  readonly startedMs: number | null;
}

/** Reads one log line by line. Skips lines that have no message or are torn; never throws. */
export interface LogParser {
  readonly session: LogSession;
  /** In the order of the log. A later line may complete an earlier message; messages are never removed. */
  readonly messages: readonly LogMessage[];
  /** The agent's to-do list as of the last line; null if the log has none. */
  readonly plan: PlanSource | null;
  /** In the order in which they were started. */
  readonly subAgents: readonly SubAgent[];
  /** The state with which another parser can continue in the log, as JSON. */
  readonly state: object;
  /** `side`: name of the sub-agent's log that has the line; absent for the session's own. */
  feed(line: string, side?: string): void;
  /** Takes a line that is already parsed. */
  take(record: Fields): void;
}

/** Receives the messages of a parser. A message that comes again completes the earlier one. */
export interface MessageFold {
  readonly messages: readonly LogMessage[];
  /** True until the first message. */
  readonly isEmpty: boolean;
  get(id: string): LogMessage | undefined;
  put(message: LogMessage): void;
  /** Adds fields to the tool of the message `id`. It has no effect if the message or tool does not exist. */
  tool(id: string, more: Partial<LogTool>): void;
}

/** Lets a parser continue in a log: it has the messages, and the `state` of the earlier parser. */
export interface ParserStart {
  readonly fold: MessageFold;
  readonly state: Fields;
}

/** A log's messages in order, and the usage of its answers. Parts that usage does not need may be missing. */
export interface LogTalk {
  readonly messages: readonly LogMessage[];
  readonly usage: readonly PlacedUsage[];
}

/** The agent's run whose log is searched. */
export interface LogRun {
  readonly home: string;
  /** Variables of the agent's process; has at least those of `envNames` that are set. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Where logs are: below `folder`, one pattern for each level; the last one matches the file. */
export interface LogPlace {
  readonly folder: string;
  readonly path: readonly RegExp[];
}

/** Describes one agent's log. */
export interface OwnLog {
  /** Name of the extractor. */
  readonly agent: string;
  /** Environment variables that change the log's folder. */
  readonly envNames: readonly string[];
  places(run: LogRun): readonly LogPlace[];
  /** Whether the log belongs to the run's folder `cwd`. */
  isOf(session: LogSession, cwd: string): boolean;
  newParser(start?: ParserStart): LogParser;
  /** `state`: that of the earlier reader, to continue in the log. */
  newUsage(state?: Fields): UsageReader;
  /** Where the logs of a session's sub-agents are, whose lines the session's parser takes too. Absent: no log of a sub-agent is read. */
  sideLogs?(path: string): LogPlace;
}
