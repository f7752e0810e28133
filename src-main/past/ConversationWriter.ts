import type { LogMessage, LogTool, MessageFold } from '../conversations/extraction/reconcile/LogMessage.ts';
import type { UsageEntry } from '../conversations/extraction/reconcile/LogUsage.ts';
import type { PastFile } from '../store/past/PastFile.ts';
import type { PastSession, PastSink } from './agents/PastAgent.ts';
import { cutImported } from './cutImported.ts';

const MAX_TITLE_CHARS = 120;

/** The source of a conversation. */
export interface Origin {
  readonly agent: string;
  /** Number of the source. */
  readonly source: number;
  /** The conversation's id, until its log says it. */
  readonly id: string;
  /** Time of messages that have no time, ms since 1970. */
  readonly atMs: number;
  /** False if conversations are only counted, so that no text is stored. */
  readonly keepsText: boolean;
  /** The source is read again from its start, so the writer does not look up messages that came from it. */
  readonly isReplaced?: true;
}

/** What one `write` added. */
export interface Written {
  /** How many conversations there are more now. */
  conversations: number;
  messages: number;
  /** Copies of messages that another conversation has already. */
  copies: number;
}

export const NOTHING: Readonly<Written> = { conversations: 0, messages: 0, copies: 0 };

/**
 * Writes the messages of one conversation into the file. It looks up earlier messages there, so it needs memory for one piece of a log only, and a
 * reader that continues after a restart completes the messages of the earlier reader.
 */
export class ConversationWriter implements PastSink, MessageFold {
  readonly fold: MessageFold = this;
  readonly messages: readonly LogMessage[] = [];
  readonly #file: PastFile;
  readonly #origin: Origin;
  readonly #pending = new Map<string, LogMessage>();
  readonly #usage = new Map<string, UsageEntry>();
  /** Session of the last write. Look-ups use it until the log names another one. */
  #session: string;

  constructor(file: PastFile, origin: Origin) {
    this.#file = file;
    this.#origin = origin;
    this.#session = origin.id;
  }

  get isEmpty(): boolean {
    if (this.#pending.size > 0) return false;
    const num = this.#lookUp();
    if (num === null) return true;
    const sql = 'SELECT 1 FROM messages WHERE conversation = ? AND source IS NOT ? LIMIT 1';
    return !this.#file.get(sql, num, this.#replaced);
  }

  get(id: string): LogMessage | undefined {
    return this.#pending.get(id) ?? this.#stored(id);
  }

  put(message: LogMessage): void {
    const known = this.#pending.get(message.id);
    this.#pending.set(message.id, known ? { ...message, atMs: known.atMs ?? message.atMs } : message);
  }

  tool(id: string, more: Partial<LogTool>): void {
    const message = this.get(id);
    if (message?.tool) this.put({ ...message, tool: { ...message.tool, ...more } });
  }

  usage(entry: UsageEntry): void {
    this.#usage.set(entry.id, entry); // agents log some of them twice
  }

  /** Continues the conversation of this id, for a log that named its id in an earlier piece. */
  resume(session: string): void {
    this.#session = session;
  }

  /** Writes the messages and usage since the last call. The caller opens the transaction. */
  write(session: PastSession): Written {
    const written: Written = { ...NOTHING };
    if (this.#pending.size === 0 && this.#usage.size === 0) return written;
    this.#session = session.id ?? this.#session;
    const num = this.#conversation(session, written);
    for (const message of this.#pending.values()) this.#put(num, message, written);
    for (const entry of this.#usage.values()) this.#putUsage(num, entry);
    this.#pending.clear();
    this.#usage.clear();
    return written;
  }

  /** Updates the facts that lists show, and returns how many conversations there are more: see `describeConversation`. */
  describe({ version, cwd, parent, title }: PastSession): number {
    const num = this.#lookUp();
    if (num === null) return 0;
    this.#file.run(
      'UPDATE conversations SET version = coalesce(?, version), cwd = coalesce(?, cwd), parent = coalesce(?, parent) WHERE num = ?',
      ...[version, cwd, parent, num],
    );
    return describeConversation(this.#file, num, title);
  }

  #put(num: number, message: LogMessage, written: Written): void {
    const { id, kind, atMs } = message;
    const tool = message.tool ? JSON.stringify(this.#shortened(message.tool)) : null;
    const text = this.#origin.keepsText ? message.text : '';
    const uid = atMs === null ? null : `${this.#origin.agent}/${id}@${atMs}`;
    const { changes } = this.#file.run(
      `INSERT INTO messages (conversation, source, id, uid, kind, text, tool, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (conversation, id) DO UPDATE SET kind = excluded.kind, text = excluded.text, tool = excluded.tool
       ON CONFLICT (uid) DO NOTHING`,
      ...[num, this.#origin.source, id, uid, kind, text, tool, atMs ?? this.#origin.atMs],
    );
    if (changes === 0) written.copies += 1;
    else written.messages += 1;
  }

  /** Leaves out the subject, which is part of the input. */
  #shortened(tool: LogTool): Omit<LogTool, 'subject'> {
    if (!this.#origin.keepsText) return { name: '', input: '' };
    const output = tool.output === undefined ? {} : { output: cutImported(tool.output) };
    return { name: tool.name, input: cutImported(tool.input), ...(tool.status && { status: tool.status }), ...output };
  }

  #putUsage(num: number, entry: UsageEntry): void {
    const { id, atMs, model, input, output, cacheRead, cacheWrite, cost, busyMs } = entry;
    this.#file.run(
      `INSERT INTO usage (conversation, id, source, at_ms, model, input, output, cache_read, cache_write, cost, busy_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (conversation, id) DO UPDATE SET model = excluded.model, input = excluded.input, output = excluded.output,
         cache_read = excluded.cache_read, cache_write = excluded.cache_write, cost = excluded.cost, busy_ms = excluded.busy_ms`,
      ...[num, id, this.#origin.source, atMs ?? this.#origin.atMs, model, input, output],
      ...[cacheRead, cacheWrite, cost, busyMs],
    );
  }

  #conversation(session: PastSession, written: Written): number {
    const known = this.#lookUp();
    if (known !== null) return known;
    const atMs = session.startedMs ?? this.#origin.atMs;
    written.conversations += 1;
    return this.#file.run(
      'INSERT INTO conversations (agent, session, started_ms, updated_ms) VALUES (?, ?, ?, ?)',
      ...[this.#origin.agent, this.#session, atMs, atMs],
    ).lastId;
  }

  #lookUp(): number | null {
    const row = this.#file.get<{ num: number }>(
      'SELECT num FROM conversations WHERE agent = ? AND session = ?',
      this.#origin.agent,
      this.#session,
    );
    return row?.num ?? null;
  }

  get #replaced(): number | null {
    return this.#origin.isReplaced ? this.#origin.source : null;
  }

  #stored(id: string): LogMessage | undefined {
    const num = this.#lookUp();
    if (num === null) return undefined;
    const row = this.#file.get<{ kind: LogMessage['kind']; text: string; tool: string | null; atMs: number }>(
      'SELECT kind, text, tool, at_ms AS atMs FROM messages WHERE conversation = ? AND id = ? AND source IS NOT ?',
      ...[num, id, this.#replaced],
    );
    if (!row) return undefined;
    const known = row.tool === null ? null : (JSON.parse(row.tool) as Omit<LogTool, 'subject'>);
    const tool = known ? { tool: { ...known, subject: known.input } } : {};
    return { id, kind: row.kind, text: row.text, atMs: row.atMs, ...tool };
  }
}

/**
 * Updates the counts and dates of a conversation and marks it as changed. It counts all messages, so it is slow for a long conversation. Deletes a
 * conversation without messages. Returns how many conversations there are more: 0, or -1.
 */
export function describeConversation(file: PastFile, num: number, title = ''): number {
  const row = file.get<{ count: number; covered: number; first: number; last: number }>(
    `SELECT count(*) AS count, sum(is_covered) AS covered, min(at_ms) AS first, max(at_ms) AS last FROM messages WHERE conversation = ?`,
    num,
  );
  file.run('INSERT OR REPLACE INTO changes (conversation) VALUES (?)', num);
  if (!row || row.count === 0) {
    for (const table of ['usage', 'recorded']) file.run(`DELETE FROM ${table} WHERE conversation = ?`, num);
    return -file.run('DELETE FROM conversations WHERE num = ?', num).changes || 0;
  }
  const asked = file.get<{ text: string }>(
    `SELECT substr(text, 1, 1000) AS text FROM messages WHERE conversation = ? AND kind = 'user' ORDER BY at_ms, num LIMIT 1`,
    num,
  );
  file.run(
    `UPDATE conversations SET messages = ?, covered = ?, started_ms = ?, updated_ms = ?, title = coalesce(nullif(?, ''), title) WHERE num = ?`,
    ...[row.count, row.covered, row.first, row.last, firstLine(asked?.text ?? '') || firstLine(title), num],
  );
  return 0;
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS - 1)}…` : line;
}
