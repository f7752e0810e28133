import type { ChatTool } from '../../../contract/chat/chat.ts';
import type { PlanSource, SubAgent } from '../../../contract/chat/progress.ts';
import type { Fields } from './jsonFields.ts';

/** A message as a second source has it: the agent's own log, or its hooks. A tool's call and result are one. */
export interface LogMessage {
  /** The source's own id, or one that reading the source again gives again. */
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
  /** All of what was given to it, as people read it. */
  readonly input: string;
  /** The part a screen has room for: the command, the path, the pattern. */
  readonly subject: string;
  /** Absent until it has ended. */
  readonly output?: string;
  readonly status?: ChatTool['status'];
}

/** Whose a log is, as its first lines tell. */
export interface LogSession {
  readonly id: string | null;
  readonly cwd: string | null;
  /** A digest of the folder, where the log has that in its place. */
  readonly cwdDigest: string | null;
  readonly startedMs: number | null;
}

/** Reads one log line by line. Lines that say nothing, or are torn, are passed over; never throws. */
export interface LogParser {
  readonly session: LogSession;
  /** In the order of the log. A later line may complete an earlier message; none is ever taken back. */
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

/** The run of an agent whose log is wanted. */
export interface LogRun {
  readonly home: string;
  /** Of the agent's process; holds at least `envNames` where they are set. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Where logs lie: below `folder`, a pattern for each step down; the last one is the file's. */
export interface LogPlace {
  readonly folder: string;
  readonly path: readonly RegExp[];
}

/** All that is known of one agent's own log. */
export interface OwnLog {
  /** Name of the extractor. */
  readonly agent: string;
  /** Variables that move the folder. */
  readonly envNames: readonly string[];
  places(run: LogRun): readonly LogPlace[];
  /** Whether the run's folder is the one that the log is about. */
  isOf(session: LogSession, cwd: string): boolean;
  newParser(start?: ParserStart): LogParser;
  /** Where the logs of a session's sub-agents lie, whose lines the session's parser takes too. Absent: they have none that is read. */
  sideLogs?(path: string): LogPlace;
}
