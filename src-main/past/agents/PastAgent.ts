import type { Fields } from '../../conversations/extraction/reconcile/jsonFields.ts';
import type { LogPlace, LogSession, MessageFold } from '../../conversations/extraction/reconcile/LogMessage.ts';

/** What a log says that one answer or turn took. What it does not say is null, never a guess. */
export interface UsageEntry {
  /** The same when the log is read again, or says it again. */
  readonly id: string;
  readonly atMs: number | null;
  readonly model: string | null;
  /** Tokens that were not read from a cache. */
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  /** US dollars. */
  readonly cost: number | null;
  /** ms that the agent was at work. */
  readonly busyMs: number | null;
}

export const NO_USAGE: Omit<UsageEntry, 'id'> = {
  ...{ atMs: null, model: null, input: null, output: null, cacheRead: null, cacheWrite: null, cost: null },
  busyMs: null,
};

/** Where a reader puts what it reads of one conversation. */
export interface PastSink {
  readonly fold: MessageFold;
  usage(entry: UsageEntry): void;
}

/** What is known of a conversation but for its messages. */
export interface PastSession extends LogSession {
  /** Of the agent's program. */
  readonly version: string | null;
  /** As the agent calls it; '' where it does not. */
  readonly title: string;
  /** The conversation that it was forked from. */
  readonly parent: string | null;
}

/** Reads a log of one conversation, record by record. Never throws for what a log may hold. */
export interface RecordReader {
  readonly session: PastSession;
  /** All that a reader of the rest must know, as JSON. */
  readonly state: object;
  take(record: Fields): void;
}

/** A log with a JSON object in each line, to which lines are appended. */
export interface LineLog {
  readonly form: 'lines';
  /** The conversation's id, where the path has it. */
  idOf(path: string): string | null;
  /** Whether a line may say anything. Lines that say nothing are most of the bytes, and are not parsed. Absent: all may. */
  isWanted?(line: Buffer): boolean;
  newReader(sink: PastSink, spec: { path: string; state: Fields }): RecordReader;
}

/** One conversation of a source that is read whole each time it has changed. */
export interface WholeConversation {
  readonly id: string;
  /** Says whether it has changed; equal: it is not read. */
  readonly stamp: string;
  read(sink: PastSink): PastSession;
}

/** A source that holds conversations in another form: a document, a database. */
export interface WholeLog {
  readonly form: 'whole';
  /** Other files that hold part of it: their change is its change. */
  besides?(path: string): readonly string[];
  /** Throws when it is damaged. `close` is called in the end. */
  open(path: string): { conversations(): Iterable<WholeConversation>; badParts: number; close(): void };
}

/** All that the import knows of one agent. A new agent is one file, and a line in `all.ts`. */
export interface PastAgent {
  /** Name of its extractor. */
  readonly agent: string;
  /** Versions of which a recording is read by a test. */
  readonly checked: readonly string[];
  readonly logs: readonly {
    places(where: { home: string; env: Readonly<Record<string, string | undefined>> }): readonly LogPlace[];
    readonly log: LineLog | WholeLog;
  }[];
  /** The command line with which a conversation goes on; absent where the agent has no way to. The id holds no character of a shell. */
  resume?(id: string): string;
}
