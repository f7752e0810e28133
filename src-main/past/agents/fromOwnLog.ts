import { asString, type Fields } from '../../conversations/extraction/reconcile/jsonFields.ts';
import type { LogParser, OwnLog } from '../../conversations/extraction/reconcile/LogMessage.ts';
import type { LineLog, PastSession, PastSink, RecordReader } from './PastAgent.ts';

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

/** A log of a sub-agent: its tokens belong to the conversation that started it, whose id `idOf` finds in the path, or else the log itself says. */
export function subAgentLog(ownLog: OwnLog, idOf: LineLog['idOf']): LineLog {
  return {
    ...{ form: 'lines', isSide: true, idOf },
    newReader(sink, { state }) {
      const usage = ownLog.newUsage(state);
      let id = asString(state.id);
      return {
        get session() {
          return { id, cwd: null, cwdDigest: null, startedMs: null, version: null, title: '', parent: null };
        },
        get state() {
          return { ...usage.state, id };
        },
        take(record) {
          id ??= asString(record.sessionId);
          const entry = usage.take(record);
          if (entry) sink.usage(entry);
        },
      };
    },
  };
}

/** Finds the session id in the name of its file. */
export function uuidIn(path: string): string | null {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.jsonl)?$/.exec(path)?.[1] ?? null;
}
