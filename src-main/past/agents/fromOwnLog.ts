import type { Fields } from '../../conversations/extraction/reconcile/jsonFields.ts';
import type { LogParser, OwnLog } from '../../conversations/extraction/reconcile/LogMessage.ts';
import type { PastSession, PastSink, RecordReader } from './PastAgent.ts';

/** What a room adds to the parser that verifies live conversations: what that one has no use for. */
export interface Extra {
  readonly state: object;
  readonly facts: Partial<PastSession>;
  take(record: Fields): void;
}

/** A reader of a log that the live comparison reads too: the same parser, and beside it what only the past has. */
export function readerOf(
  ownLog: OwnLog,
  extra: Extra,
  { sink, state }: { sink: PastSink; state: Fields },
): RecordReader {
  const parser: LogParser = ownLog.newParser({ fold: sink.fold, state });
  return {
    get session() {
      return { version: null, title: '', parent: null, ...parser.session, ...extra.facts };
    },
    get state() {
      return { ...parser.state, ...extra.state };
    },
    take(record) {
      extra.take(record);
      parser.take(record);
    },
  };
}

/** A count that a log says; null for anything else. */
export function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** The id of a session in the name of its file. */
export function uuidIn(path: string): string | null {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.jsonl)?$/.exec(path)?.[1] ?? null;
}
