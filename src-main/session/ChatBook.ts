import { ConversationList } from '../chat/conversations.ts';
import { unseenEnd } from '../chat/unseenEnd.ts';
import type { ChatChange, ChatLine, ChatMessage, Conversation } from '../contract/chat.ts';
import { readChat } from '../store/readChat.ts';
import { type ReadFault, readFaultOf } from '../store/readFault.ts';
import { SessionFolder } from '../store/SessionFolder.ts';
import { livingWriter } from '../store/writerMark.ts';
import { type ChatRecord, labelOf } from './ChatRecord.ts';
import { type ExportedChat, type ExportWish, exportChat } from './exportChat.ts';
import { type ChatPage, type ChatPageQuery, pageOf } from './pageOf.ts';

/** Folders whose conversations are listed at most: more than anyone looks through; search finds the others. */
const MAX_FOLDERS = 500;

interface ChatListQuery {
  terminalId?: string | undefined;
  limit: number;
  onFault?: (fault: ReadFault) => void;
}

/** Every conversation of a data folder: of open terminals as they are, of the others from their files. */
export class ChatBook {
  readonly #dataFolder: string;
  readonly #logOf: (terminalId: string) => ChatRecord | undefined;
  readonly #isWritten: (terminalId: string) => boolean | Promise<boolean>;

  /**
   * `logOf`: of a terminal that is open here. `isWritten`: whether another one than these, and than a recorder, may be written: there a
   * conversation without an end goes on, and else nobody saw its end.
   */
  constructor(
    dataFolder: string,
    logOf: (terminalId: string) => ChatRecord | undefined,
    isWritten: (terminalId: string) => boolean | Promise<boolean> = () => false,
  ) {
    this.#dataFolder = dataFolder;
    this.#logOf = logOf;
    this.#isWritten = isWritten;
  }

  /** Newest first. A terminal whose file cannot be read is passed over, and `onFault` says why. */
  async list({ terminalId, limit, onFault }: ChatListQuery): Promise<Conversation[]> {
    const ids = terminalId === undefined ? SessionFolder.list(this.#dataFolder).slice(-MAX_FOLDERS) : [terminalId];
    const found: Conversation[] = [];
    for (const id of ids) {
      try {
        found.push(...(await this.#conversations(id)));
      } catch (error) {
        const fault = readFaultOf(error, new SessionFolder(this.#dataFolder, id).chatJsonl);
        if (!fault) throw error;
        onFault?.(fault);
      }
    }
    return found.sort((a, b) => b.updatedMs - a.updatedMs).slice(0, limit);
  }

  async page({ terminalId, ...query }: ChatPageQuery & { terminalId: string }): Promise<ChatPage> {
    const log = this.#logOf(terminalId);
    await log?.load();
    return log ? log.page(query) : pageOf(await this.#lines(terminalId), query);
  }

  /** The conversation with all its lines, in order; null when there is none. */
  async whole(
    terminalId: string,
    conversationId: string,
  ): Promise<{ conversation: Conversation; lines: ChatLine[] } | null> {
    const conversation = (await this.#conversations(terminalId)).find(({ id }) => id === conversationId);
    if (!conversation) return null;
    const lines = (await this.#lines(terminalId)).filter((line) => line.conversationId === conversationId);
    return { conversation, lines };
  }

  /** Clean Markdown of a message, or of the whole conversation; null when there is none. */
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
    return whole && exportChat(whole, { format, redact });
  }

  async message(terminalId: string, id: string): Promise<ChatMessage | null> {
    const line = (await this.#lines(terminalId)).find((one) => one.id === id);
    return line && 'kind' in line ? line : null;
  }

  /** Throws for a terminal that is not open: nothing changes there. */
  follow(terminalId: string, signal?: AbortSignal): AsyncGenerator<ChatChange> {
    const log = this.#logOf(terminalId);
    if (!log) throw new Error(`No terminal "${terminalId}" is open`);
    return log.follow(signal);
  }

  async #lines(terminalId: string): Promise<ChatLine[]> {
    const log = this.#logOf(terminalId);
    await log?.load();
    if (log) return log.lines;
    const folder = new SessionFolder(this.#dataFolder, terminalId);
    const { lines } = await readChat(folder);
    const end = unseenEnd(terminalId, lines);
    if (end.length === 0 || livingWriter(folder) !== null || (await this.#isWritten(terminalId))) return lines;
    const latest = new Map([...lines, ...end].map((line) => [line.id, line]));
    return [...latest.values()].sort((a, b) => a.order - b.order);
  }

  async #conversations(terminalId: string): Promise<Conversation[]> {
    const log = this.#logOf(terminalId);
    await log?.load();
    if (log) return log.conversations;
    const list = new ConversationList(labelOf);
    for (const line of await this.#lines(terminalId)) list.apply(line);
    return list.all;
  }
}
