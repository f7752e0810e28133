import { asFields, asString, type Fields, parseObject } from '../../../reconcile/jsonFields.ts';
import type { LogMessage, LogTalk } from '../../../reconcile/LogMessage.ts';
import type { PlacedUsage, UsageEntry } from '../../../reconcile/LogUsage.ts';
import type { Query } from '../../../reconcile/OwnDatabase.ts';
import { takeMessage } from './ownMessages.ts';

/** The outputs of tools are most of the bytes, so only texts and the calls of sub-agents are read. */
const NEEDED_PARTS = `(part.data LIKE '%"type":"text"%' OR part.data LIKE '%"tool":"task"%')`;
/** Rows that may differ from the last read: the newest ones, whose parts change too, and those that were updated since. */
const NEW_MESSAGES = 'message.session_id = ? AND (message.time_created >= ? OR message.time_updated >= ?)';
/** A sum of the times stays exact below this modulus. */
const CHECKED_MS = 1_000_000_007;

/** What one message says. */
interface Kept {
  readonly atMs: number;
  readonly updatedMs: number;
  readonly isAnswered: boolean;
  readonly messages: readonly LogMessage[];
  readonly usage: UsageEntry | null;
  /** By session of the sub-agent. */
  readonly calls: readonly (readonly [string, Fields])[];
}

/** The messages of one session in OpenCode's database. Each read returns only the rows that are new or changed. */
export class OpencodeSession {
  readonly #id: string;
  /** Ordered by time and id. */
  #kept: readonly (readonly [string, Kept])[] = [];

  constructor(id: string) {
    this.#id = id;
  }

  /** The last call for each sub-agent, which may get a second task. */
  get calls(): Map<string, Fields> {
    return new Map(this.#kept.flatMap(([, { calls }]) => calls));
  }

  talkSince(sinceMs: number): LogTalk {
    const messages: LogMessage[] = [];
    const all: PlacedUsage[] = [];
    for (const [, one] of this.#kept) {
      if (one.atMs < sinceMs) continue;
      messages.push(...one.messages);
      if (one.usage) all.push({ entry: one.usage, from: messages.length, to: messages.length });
    }
    return { messages, usage: all };
  }

  /** Reads everything again if messages were removed, as by an undo, or changed with an earlier time. */
  read(query: Query): void {
    this.#readNew(query);
    const all = query(
      `SELECT count(*) AS count, total(time_updated % ${CHECKED_MS}) AS sum FROM message WHERE session_id = ?`,
      this.#id,
    )[0];
    const sum = this.#kept.reduce((total, [, { updatedMs }]) => total + (updatedMs % CHECKED_MS), 0);
    if (all?.count === this.#kept.length && all.sum === sum) return;
    this.#kept = [];
    this.#readNew(query);
  }

  #readNew(query: Query): void {
    // an answer begins after all earlier messages are complete
    const fromMs = this.#kept.findLast(([, { isAnswered }]) => isAnswered)?.[1].atMs ?? Number.MIN_SAFE_INTEGER;
    const seenMs = this.#kept.reduce((last, [, { updatedMs }]) => Math.max(last, updatedMs), Number.MIN_SAFE_INTEGER);
    const news = [this.#id, fromMs, seenMs] as const;
    const rows = query(
      `SELECT id, time_created AS atMs, time_updated AS updatedMs, data FROM message WHERE ${NEW_MESSAGES}`,
      ...news,
    );
    const parts = query(
      `SELECT part.id, message_id AS message, part.data FROM message CROSS JOIN part ON part.message_id = message.id
       WHERE ${NEW_MESSAGES} AND ${NEEDED_PARTS} ORDER BY part.id`,
      ...news,
    );
    const byMessage = Map.groupBy(parts, ({ message }) => message);
    const kept = new Map(this.#kept.filter(([, { atMs }]) => atMs < fromMs));
    for (const row of rows) kept.set(asString(row.id) ?? '', keptOf(row, byMessage.get(row.id) ?? []));
    this.#kept = [...kept].sort(([a, one], [b, other]) => one.atMs - other.atMs || (a < b ? -1 : 1));
  }
}

function keptOf(row: Fields, rows: readonly Fields[]): Kept {
  const parsed = ({ id, data }: Fields) => ({ ...parseObject(asString(data) ?? ''), id: asString(id) ?? '' });
  const message: Fields & { id: string } = parsed(row);
  const parts: (Fields & { id: string })[] = rows.map(parsed);
  const messages: LogMessage[] = [];
  let usage: UsageEntry | null = null;
  const sink = {
    fold: { put: (one: LogMessage) => messages.push(one) },
    usage: (entry: UsageEntry) => {
      usage = entry;
    },
  };
  const texts = parts.filter(({ type }) => type === 'text');
  takeMessage(sink, message, texts);
  return {
    ...{ atMs: Number(row.atMs), updatedMs: Number(row.updatedMs), messages, usage },
    isAnswered: message.role === 'assistant' && typeof asFields(message.time)?.completed === 'number',
    calls: parts.flatMap((part) => callOf(part)),
  };
}

function callOf({ tool, state }: Fields): [string, Fields][] {
  const call = tool === 'task' ? asFields(state) : null;
  const child = asString(asFields(call?.metadata)?.sessionId);
  return call && child !== null ? [[child, call]] : [];
}
