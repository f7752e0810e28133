import type { Fields } from '../../conversations/extraction/reconcile/jsonFields.ts';
import type { LogPlace, LogSession, MessageFold } from '../../conversations/extraction/reconcile/LogMessage.ts';
import type { UsageEntry } from '../../conversations/extraction/reconcile/LogUsage.ts';

/** Receives the messages and usage of one conversation from a reader. */
export interface PastSink {
  readonly fold: MessageFold;
  usage(entry: UsageEntry): void;
}

/** The facts about a conversation, without its messages. */
export interface PastSession extends LogSession {
  /** Version of the agent's program. */
  readonly version: string | null;
  /** The agent's title for it; '' if the agent gives no title. */
  readonly title: string;
  /** The conversation that it was forked from. */
  readonly parent: string | null;
}

/** Reads a log of one conversation, record by record. It never throws because of the content of a log. */
export interface RecordReader {
  readonly session: PastSession;
  /** The state with which another reader can continue in the log, as JSON. */
  readonly state: object;
  take(record: Fields): void;
}

/** A log with one JSON object per line. The agent only appends lines. */
export interface LineLog {
  readonly form: 'lines';
  /** It only adds usage to conversations of other logs, and is read after them. */
  readonly isSide?: true;
  /** Returns the conversation's id if the path contains it. */
  idOf(path: string): string | null;
  /** False for a line without useful content, which is then not parsed. Most bytes of a log are in these lines. Absent: all lines are parsed. */
  isWanted?(line: string): boolean;
  newReader(sink: PastSink, spec: { path: string; state: Fields }): RecordReader;
}

/** One conversation of a source, which is read from its start after each change. */
export interface WholeConversation {
  readonly id: string;
  /** Changes with the conversation. While it is equal, the conversation is not read again. */
  readonly stamp: string;
  read(sink: PastSink): PastSession;
}

/** A source in another form, such as a document or a database. */
export interface WholeLog {
  readonly form: 'whole';
  /** Other files that hold parts of the source. A change of one is a change of the source. */
  besides?(path: string): readonly string[];
  /** Throws if the source is damaged. The caller calls `close` at the end. */
  open(path: string): { conversations(): Iterable<WholeConversation>; badParts: number; close(): void };
}

/** Describes one agent for the import. A new agent is one file, and a line in `all.ts`. */
export interface PastAgent {
  /** Name of its extractor. */
  readonly agent: string;
  /** Versions with a recorded log that a test reads. */
  readonly checked: readonly string[];
  readonly logs: readonly {
    places(where: { home: string; env: Readonly<Record<string, string | undefined>> }): readonly LogPlace[];
    readonly log: LineLog | WholeLog;
  }[];
  /** Returns the command line that continues a conversation; absent if the agent has no command for it. The id has no characters that a shell interprets. */
  resume?(id: string): string;
}
