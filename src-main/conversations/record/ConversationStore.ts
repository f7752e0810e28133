import { lstatSync } from 'node:fs';
import type { ChatChange, ChatLine, ChatMessage, Conversation } from '../../contract/chat/chat.ts';
import { restedPath, stampOf } from '../../store/files/openRecordFile.ts';
import { type ReadFault, readFaultOf } from '../../store/files/readFault.ts';
import { livingWriter } from '../../store/instance/writerMark.ts';
import { readChat } from '../../store/record/readChat.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import type { ExportedChat, ExportWish } from '../export/exportChat.ts';
import { ConversationList } from '../extraction/conversations.ts';
import { unseenEnd } from '../extraction/unseenEnd.ts';
import { type ConversationRecorder, isChecked, labelOf } from './ConversationRecorder.ts';
import { cursorOf, newestFirst, parseCursor } from './listOrder.ts';
import { type ChatPage, type ChatPageQuery, paginate } from './paginate.ts';

export interface ChatListQuery {
  terminalId?: string | undefined;
  limit: number;
  /** `next` of the page before. */
  cursor?: string | undefined;
  isWanted?: (conversation: Conversation) => boolean;
  onFault?: (fault: ReadFault) => void;
}

export interface ChatList {
  conversations: Conversation[];
  /** The cursor of the next page; null at the end. */
  next: string | null;
}

/** File times may be behind the clock that dates messages. */
const FILE_TIME_SLACK_MS = 5_000;

/** All conversations of a data folder: of open terminals from their recorders, of the others from their files. */
export class ConversationStore {
  readonly #dataFolder: string;
  readonly #logOf: (terminalId: string) => ConversationRecorder | undefined;
  /** Conversations of closed terminals, with the stamp of the file from which they were read. */
  readonly #settled = new Map<string, { stamp: string; conversations: readonly Conversation[] }>();
  readonly #isWritten: (terminalId: string) => boolean | Promise<boolean>;

  /**
   * `logOf`: the recorder of a terminal that is open here. `isWritten`: whether a terminal that is not open here and has no writer mark may
   * still be written: its conversation without an end then continues, and if not, it has ended unseen.
   */
  constructor(
    dataFolder: string,
    logOf: (terminalId: string) => ConversationRecorder | undefined,
    isWritten: (terminalId: string) => boolean | Promise<boolean> = () => false,
  ) {
    this.#dataFolder = dataFolder;
    this.#logOf = logOf;
    this.#isWritten = isWritten;
  }

  /** Newest first. */
  async list(query: Pick<ChatListQuery, 'terminalId' | 'limit' | 'onFault'>): Promise<Conversation[]> {
    return (await this.listPage(query)).conversations;
  }

  /**
   * Returns a page of conversations, newest first. Skips a terminal whose file cannot be read and reports the fault to `onFault`. Throws for
   * an invalid cursor.
   */
  async listPage({ terminalId, limit, cursor, onFault, isWanted = () => true }: ChatListQuery): Promise<ChatList> {
    const after = cursor === undefined ? null : parseCursor(cursor);
    const ids = terminalId === undefined ? SessionFolder.list(this.#dataFolder) : [terminalId];
    /** One more than the page has, to see whether another page follows. */
    let found: Conversation[] = [];
    for (const { id, changedMs } of this.#byChange(ids)) {
      const oldest = found[limit];
      if (oldest && changedMs + FILE_TIME_SLACK_MS < oldest.updatedMs) break;
      const own = (await this.#readable(id, onFault)).filter(
        (one) => (after === null || newestFirst(after, one) < 0) && isWanted(one),
      );
      if (own.length > 0) found = [...found, ...own].sort(newestFirst).slice(0, limit + 1);
    }
    const conversations = found.slice(0, limit);
    const last = conversations.at(-1);
    const next = last && found.length > limit ? cursorOf(last) : null;
    return { conversations, next };
  }

  /** Terminals that may have conversations, the last written first, so that a page of the newest does not open older files. */
  #byChange(ids: readonly string[]): { id: string; changedMs: number }[] {
    return ids
      .flatMap((id) => {
        const changedMs = this.#logOf(id) ? Number.POSITIVE_INFINITY : this.#changedMs(id);
        return changedMs === null ? [] : [{ id, changedMs }];
      })
      .sort((a, b) => b.changedMs - a.changedMs);
  }

  /** Null if there is no file. A dangling link or an inaccessible file comes first, because reading it reports the fault. */
  #changedMs(terminalId: string): number | null {
    const { chatJsonl } = new SessionFolder(this.#dataFolder, terminalId);
    const times = [chatJsonl, restedPath(chatJsonl)].map((path) => {
      try {
        const found = lstatSync(path, { throwIfNoEntry: false });
        return found?.isSymbolicLink() ? Number.POSITIVE_INFINITY : found?.mtimeMs;
      } catch {
        return Number.POSITIVE_INFINITY;
      }
    });
    const there = times.filter((time) => time !== undefined);
    return there.length === 0 ? null : Math.max(...there);
  }

  async #readable(terminalId: string, onFault: ChatListQuery['onFault']): Promise<readonly Conversation[]> {
    try {
      return await this.#conversations(terminalId);
    } catch (error) {
      const fault = readFaultOf(error, new SessionFolder(this.#dataFolder, terminalId).chatJsonl);
      if (!fault) throw error;
      onFault?.(fault);
      return [];
    }
  }

  async page({ terminalId, ...query }: ChatPageQuery & { terminalId: string }): Promise<ChatPage> {
    const log = this.#logOf(terminalId);
    await log?.load();
    return log ? log.page(query) : paginate(await this.lines(terminalId), query);
  }

  /** The conversation with all its lines, in order; null if it does not exist. */
  async whole(
    terminalId: string,
    conversationId: string,
  ): Promise<{ conversation: Conversation; lines: ChatLine[] } | null> {
    const conversation = (await this.#conversations(terminalId)).find(({ id }) => id === conversationId);
    if (!conversation) return null;
    const lines = (await this.lines(terminalId)).filter((line) => line.conversationId === conversationId);
    return { conversation, lines };
  }

  /** Clean Markdown of a message, or of the whole conversation; null if it does not exist. */
  async text(spec: {
    terminalId: string;
    conversationId: string;
    messageId?: string | undefined;
  }): Promise<string | null> {
    if (spec.messageId !== undefined) return (await this.message(spec.terminalId, spec.messageId))?.text ?? null;
    return (await this.exportAs({ ...spec, format: 'md', redact: false }))?.text ?? null;
  }

  async exportAs({ terminalId, conversationId, format, redact }: ExportWish): Promise<ExportedChat | null> {
    const whole = await this.whole(terminalId, conversationId);
    if (!whole) return null;
    const { exportChat } = await import('../export/exportChat.ts'); // loads the highlighter's languages
    return exportChat(whole, { format, redact });
  }

  async message(terminalId: string, id: string): Promise<ChatMessage | null> {
    const line = (await this.lines(terminalId)).find((one) => one.id === id);
    return line && 'kind' in line ? line : null;
  }

  /** Throws for a terminal that is not open, because nothing changes there. */
  follow(terminalId: string, signal?: AbortSignal): AsyncGenerator<ChatChange> {
    const log = this.#logOf(terminalId);
    if (!log) throw new Error(`No terminal "${terminalId}" is open`);
    return log.follow(signal);
  }

  /** All lines of a terminal, in order. */
  async lines(terminalId: string): Promise<ChatLine[]> {
    const log = this.#logOf(terminalId);
    await log?.load();
    return log ? log.allLines() : (await this.#recorded(terminalId)).lines;
  }

  /** `isSettled`: only a change of its file changes the result. */
  async #recorded(terminalId: string): Promise<{ lines: ChatLine[]; isSettled: boolean }> {
    const folder = new SessionFolder(this.#dataFolder, terminalId);
    const { lines } = await readChat(folder);
    const end = unseenEnd(terminalId, lines);
    if (end.length === 0) return { lines, isSettled: true };
    if (livingWriter(folder) !== null || (await this.#isWritten(terminalId))) return { lines, isSettled: false };
    const latest = new Map([...lines, ...end].map((line) => [line.id, line]));
    return { lines: [...latest.values()].sort((a, b) => a.order - b.order), isSettled: false };
  }

  async #conversations(terminalId: string): Promise<readonly Conversation[]> {
    const log = this.#logOf(terminalId);
    await log?.load();
    if (log) return log.conversations;
    const path = new SessionFolder(this.#dataFolder, terminalId).chatJsonl;
    const stamp = stampOf(path);
    // A dangling link has no stamp either; reading it reports the fault.
    if (stamp === '' && !lstatSync(path, { throwIfNoEntry: false })) return [];
    const known = this.#settled.get(terminalId);
    if (known?.stamp === stamp) return known.conversations;
    const { lines, isSettled } = await this.#recorded(terminalId);
    const list = new ConversationList(labelOf, isChecked);
    for (const line of lines) list.apply(line);
    if (isSettled) this.#settled.set(terminalId, { stamp, conversations: list.all });
    return list.all;
  }
}
