import type { Fields } from '../../conversations/extraction/reconcile/jsonFields.ts';
import type { LogParser, OwnLog } from '../../conversations/extraction/reconcile/LogMessage.ts';
import type { PastSession, PastSink, RecordReader } from './PastAgent.ts';

/** The parts that an import adds to the parser that verifies live conversations. */
export interface Extra {
  readonly state: object;
  readonly facts: Partial<PastSession>;
  take(record: Fields): void;
}

/** Reads a log with the parser that also verifies live conversations, and adds what only an import needs. */
export function readerOf(
  ownLog: OwnLog,
  extra: Extra,
  { sink, state }: { sink: PastSink; state: Fields },
): RecordReader {
  const parser: LogParser = ownLog.newParser({ fold: sink.fold, state });
  const usage = ownLog.newUsage(state);
  return {
    get session() {
      return { version: null, title: '', parent: null, ...parser.session, ...extra.facts };
    },
    get state() {
      return { ...parser.state, ...usage.state, ...extra.state };
    },
    take(record) {
      extra.take(record);
      parser.take(record);
      const entry = usage.take(record);
      if (entry) sink.usage(entry);
    },
  };
}

/** Finds the session id in the name of its file. */
export function uuidIn(path: string): string | null {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.jsonl)?$/.exec(path)?.[1] ?? null;
}
