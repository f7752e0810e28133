import type { ChatMessage, Conversation } from '../contract/chat/chat.ts';
import type { PastMessages, PastPage, PastQuery, PastRow } from '../contract/past.ts';
import { PAST_ID } from '../contract/pastId.ts';
import type { SearchEvent, SearchQuery } from '../contract/search.ts';
import type { ExportedChat, ExportWish } from '../conversations/export/exportChat.ts';
import type { ConversationStore } from '../conversations/record/ConversationStore.ts';
import type { PastFile } from '../store/past/PastFile.ts';
import { logConversation, logLines } from './logConversation.ts';
import { type LogRow, logRow, logRowOf, logRows, recordedRow, usageBetween } from './pastRows.ts';

/** A search returns at most this many conversations. */
const MAX_FOUND = 300;
const MESSAGES_AT_ONCE = 200;

export interface HistorySpec {
  readonly chats: ConversationStore;
  /** Opens the file of imported conversations; null before the first import. */
  file(): PastFile | null;
  find(query: SearchQuery, signal?: AbortSignal): AsyncGenerator<SearchEvent>;
}

/** Lists every conversation, recorded by a terminal or imported from an agent log, newest first. */
export class PastHistory {
  readonly #spec: HistorySpec;

  constructor(spec: HistorySpec) {
    this.#spec = spec;
  }

  async page(query: PastQuery): Promise<PastPage> {
    const [recorded, logs] = await this.#all();
    const rows = [...recorded, ...logs].sort(newestFirst);
    const fits = rows.filter((row) => isWanted(row, query));
    const found = query.text.trim() === '' ? fits : await this.#withText(fits, query.text);
    const after = query.cursor === undefined ? 0 : found.findIndex(({ key }) => key === query.cursor) + 1;
    const page = found.slice(after, after + query.limit);
    const next = after + page.length < found.length ? (page.at(-1)?.key ?? null) : null;
    const facets = query.cursor === undefined ? facetsOf(rows) : null;
    return { rows: page.map((row) => this.#withUsage(row)), next, facets };
  }

  /** Reads one conversation; null if it does not exist. */
  async row(key: string): Promise<PastRow | null> {
    const [terminalId = '', conversationId = ''] = key.split('/');
    const file = this.#spec.file();
    if (terminalId === PAST_ID) {
      const row = file && logRowOf(file, Number(conversationId));
      return row ? this.#withUsage(logRow(row)) : null;
    }
    const list = await this.#spec.chats.list({ terminalId, limit: Number.MAX_SAFE_INTEGER });
    const one = list.find(({ id }) => id === conversationId);
    return one ? this.#withUsage(recordedRow(one, file)) : null;
  }

  /** Reads messages from number `from` on. */
  async messages(key: string, from = 0): Promise<PastMessages> {
    const [terminalId = '', conversationId = ''] = key.split('/');
    const all =
      terminalId === PAST_ID ? this.#logMessages(conversationId) : await this.#recorded(terminalId, conversationId);
    const messages = all.slice(from, from + MESSAGES_AT_ONCE);
    return { messages, next: from + messages.length < all.length ? from + messages.length : null };
  }

  /** Opens a conversation for export; null if it does not exist. */
  async exportAs({ terminalId, conversationId, format, redact }: ExportWish): Promise<ExportedChat | null> {
    if (terminalId !== PAST_ID) return this.#spec.chats.exportAs({ terminalId, conversationId, format, redact });
    const file = this.#spec.file();
    const row = file && logRowOf(file, Number(conversationId));
    if (!file || !row) return null;
    const { exportChat } = await import('../conversations/export/exportChat.ts'); // loads the highlighter's languages
    return exportChat({ conversation: logConversation(row), lines: logLines(file, row) }, { format, redact });
  }

  async #all(): Promise<[PastRow[], PastRow[]]> {
    const file = this.#spec.file();
    const recorded: Conversation[] = await this.#spec.chats.list({
      limit: Number.MAX_SAFE_INTEGER,
      onFault: () => undefined,
    });
    return [recorded.map((one) => recordedRow(one, file)), file ? logRows(file).map((row: LogRow) => logRow(row)) : []];
  }

  /** Orders the rows by the time of their newest match. */
  async #withText(rows: readonly PastRow[], text: string): Promise<PastRow[]> {
    const byKey = new Map(rows.map((row) => [row.key, row]));
    const found = new Map<string, PastRow>();
    const query: SearchQuery = { query: text, mode: 'words', in: ['chat'], limit: 500 };
    for (let cursor: string | undefined, isMore = true; isMore && found.size < MAX_FOUND; ) {
      isMore = false;
      for await (const event of this.#spec.find({ ...query, ...(cursor !== undefined && { cursor }) })) {
        if (event.type === 'end') {
          isMore = event.next !== null;
          cursor = event.next ?? undefined;
          continue;
        }
        for (const hit of event.hits) {
          const key = hit.type === 'message' ? `${hit.terminalId}/${hit.conversationId}` : '';
          const row = byKey.get(key);
          if (row && !found.has(key)) found.set(key, { ...row, snippet: hit.lines[0]?.text ?? null });
        }
      }
    }
    return [...found.values()];
  }

  #withUsage(row: PastRow): PastRow {
    const file = this.#spec.file();
    return file ? { ...row, usage: usageBetween(file, row) } : row;
  }

  #logMessages(conversationId: string): ChatMessage[] {
    const file = this.#spec.file();
    const row = file && logRowOf(file, Number(conversationId));
    return file && row ? logLines(file, row) : [];
  }

  async #recorded(terminalId: string, conversationId: string): Promise<ChatMessage[]> {
    const whole = await this.#spec.chats.whole(terminalId, conversationId);
    return whole?.lines.filter((line) => 'kind' in line) ?? [];
  }
}

function newestFirst(a: PastRow, b: PastRow): number {
  return b.updatedMs - a.updatedMs || (a.key < b.key ? -1 : 1);
}

function isWanted(row: PastRow, { agent, cwd, sinceMs, untilMs }: PastQuery): boolean {
  if (agent !== undefined && row.agent !== agent) return false;
  if (cwd !== undefined && !`${row.cwd}/`.startsWith(`${cwd.replace(/\/+$/, '')}/`)) return false;
  return row.updatedMs >= (sinceMs ?? 0) && row.startedMs <= (untilMs ?? Number.MAX_VALUE);
}

function facetsOf(rows: readonly PastRow[]): PastPage['facets'] {
  const agents = new Map<string, { agent: string; label: string; count: number }>();
  const folders = new Map<string, { cwd: string; count: number }>();
  for (const { agent, label, cwd } of rows) {
    agents.set(agent, { agent, label, count: (agents.get(agent)?.count ?? 0) + 1 });
    if (cwd !== null) folders.set(cwd, { cwd, count: (folders.get(cwd)?.count ?? 0) + 1 });
  }
  const most = <T extends { count: number }>(all: Map<string, T>): T[] =>
    [...all.values()].sort((a, b) => b.count - a.count);
  return { agents: most(agents), folders: most(folders) };
}
