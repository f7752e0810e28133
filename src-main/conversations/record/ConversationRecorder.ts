import type { ChatChange, ChatLine, Conversation } from '../../contract/chat/chat.ts';
import type { Disk } from '../../store/files/Disk.ts';
import { JsonLines } from '../../store/files/JsonLines.ts';
import { isChatOpen, readChat } from '../../store/record/readChat.ts';
import type { SessionFolder } from '../../store/record/SessionFolder.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { ConversationList } from '../extraction/conversations.ts';
import { ExtractorFactory } from '../extraction/extractors/ExtractorFactory.ts';
import { unseenEnd } from '../extraction/unseenEnd.ts';
import { type ChatPage, type ChatPageQuery, paginate } from './paginate.ts';
import { StreamingMessages, WRITE_EVERY_MS } from './StreamingMessages.ts';

/** The terminal of the conversations. */
interface RecordedTerminal {
  readonly folder: SessionFolder;
  readonly meta: { readonly id: string };
  /** `reason` is null once `file` is written again. */
  reportFault(file: string, reason: string | null): void;
  /** The shell has been running since an earlier core, so a conversation without an end may continue too. */
  readonly isContinued?: boolean;
}

/** Lines in memory, of all conversations; older ones are read from chat.jsonl. Only lines that are not final or not on disk may exceed it. */
const MAX_IN_MEMORY = 2_000;

/** The conversations of one terminal: chat.jsonl and its followers. Nothing is on disk before the first line. */
export class ConversationRecorder implements IDisposable {
  readonly #record: RecordedTerminal;
  readonly #deps: ChatRecordDeps;
  /** The newest lines, in the order in which they first came. */
  readonly #byId = new Map<string, ChatLine>();
  /** Lines up to this order may be on disk only. */
  #forgottenOrder = Number.NEGATIVE_INFINITY;
  readonly #conversations = new ConversationList(labelOf, isChecked);
  readonly #changes = new Emitter<ChatChange>();
  readonly #streaming = new StreamingMessages();
  readonly #ended = new AbortController();
  #file: JsonLines<ChatLine> | null = null;
  #timer: IDisposable | null = null;
  #loading: Promise<void> | null = null;
  #isClosed = false;

  readonly onChange = this.#changes.on;

  constructor(record: RecordedTerminal, deps: ChatRecordDeps) {
    this.#record = record;
    this.#deps = deps;
  }

  /**
   * Resolves when the members below can be used. chat.jsonl is read on first use, so that a start does not wait for it. No agent runs
   * before that, so a conversation without an end has ended unseen and gets its end.
   */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Ends conversations that were cut short when the core was killed. If there are none, reads only the end of chat.jsonl. Never rejects. */
  async repair(): Promise<void> {
    try {
      if (await isChatOpen(this.#record.folder)) await this.load();
    } catch (error) {
      this.#deps.log('chat_unread', { terminalId: this.#record.meta.id, reason: String(error) });
    }
  }

  /** In the order in which they began. */
  get conversations(): Conversation[] {
    return this.#conversations.all;
  }

  /** Latest versions of the newest lines, by order. */
  get lines(): ChatLine[] {
    return inOrder(this.#byId.values());
  }

  /** Latest versions of all lines, by order. */
  async allLines(): Promise<ChatLine[]> {
    if (this.#forgottenOrder === Number.NEGATIVE_INFINITY) return this.lines;
    const { lines } = await readChat(this.#record.folder);
    const latest = new Map(lines.map((line) => [line.id, line]));
    for (const line of this.#byId.values()) latest.set(line.id, line); // a streaming message is newer than its line on disk
    return inOrder(latest.values());
  }

  async page(query: ChatPageQuery): Promise<ChatPage> {
    const page = paginate(this.lines, query);
    const [first] = page.messages;
    const isWhole = page.messages.length === query.limit && first && first.order > this.#forgottenOrder;
    if (this.#forgottenOrder === Number.NEGATIVE_INFINITY || (isWhole && page.more)) return page;
    return paginate(await this.allLines(), query);
  }

  async *follow(signal?: AbortSignal): AsyncGenerator<ChatChange> {
    await this.load();
    yield* follow(
      this.#changes.on,
      () => [{ type: 'all', conversations: this.conversations }],
      signal,
      this.#ended.signal,
    );
  }

  /** New lines, and new versions of known ones. */
  write(lines: readonly ChatLine[]): void {
    for (const line of lines) {
      const conversation = this.#keep(line);
      if (this.#streaming.changed(line)) this.#append(line);
      this.#changes.fire('kind' in line ? { type: 'message', message: line } : { type: 'event', event: line });
      this.#changes.fire({ type: 'conversation', conversation });
    }
    if (this.#streaming.unwritten.size > 0)
      this.#timer ??= this.#deps.clock.after(WRITE_EVERY_MS, () => {
        this.#timer = null;
        this.#writeDue();
      });
  }

  /** Starts to write all unwritten lines to disk. */
  flush(): void {
    for (const id of this.#streaming.unwritten) this.#append(this.#byId.get(id));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.dispose();
    this.flush();
    await this.#file?.close();
    this.#ended.abort();
    this.#changes.dispose();
  }

  dispose(): void {
    detach('ConversationRecorder', this.close());
  }

  async #load(): Promise<void> {
    const { lines, badLines } = await readChat(this.#record.folder);
    if (badLines > 0) this.#deps.log('chat_lines_unread', { terminalId: this.#record.meta.id, badLines });
    for (const line of lines) this.#keep(line);
    if (!this.#record.isContinued) this.#endUnseen(lines);
  }

  /** No agent runs any more: ends the conversation that has no end. */
  async endUnseen(): Promise<void> {
    if (!(await isChatOpen(this.#record.folder))) return;
    await this.load();
    this.#endUnseen(await this.allLines());
  }

  #endUnseen(lines: readonly ChatLine[]): void {
    const end = unseenEnd(this.#record.meta.id, lines);
    if (!this.#isClosed) this.write(end);
  }

  #keep(line: ChatLine): Conversation {
    this.#byId.set(line.id, line);
    if (this.#byId.size > MAX_IN_MEMORY) this.#forgetOldest();
    return this.#conversations.apply(line);
  }

  /** The oldest lines are at the front. Lines that are not on disk stay: streaming ones, and all lines while the disk refuses. */
  #forgetOldest(): void {
    if (this.#file?.fault) return;
    for (const [id, line] of this.#byId) {
      if (this.#streaming.has(id)) continue;
      this.#byId.delete(id);
      this.#forgottenOrder = Math.max(this.#forgottenOrder, line.order);
      return;
    }
  }

  #writeDue(): void {
    const nowMs = this.#deps.clock.monotonicMs();
    for (const id of this.#streaming.unwritten) {
      const line = this.#byId.get(id);
      if (line && this.#streaming.isDue(line, nowMs)) this.#append(line);
    }
    if (this.#streaming.unwritten.size > 0) this.write([]);
  }

  #append(line: ChatLine | undefined): void {
    if (!line) return;
    this.#streaming.wrote(line, this.#deps.clock.monotonicMs());
    this.#file ??= this.#open();
    detach('ConversationRecorder', this.#file.append(line));
    this.#deps.onChatWritten?.(line.terminalId);
  }

  #open(): JsonLines<ChatLine> {
    const { folder } = this.#record;
    return JsonLines.open<ChatLine>(folder.chatJsonl, {
      ...this.#deps,
      makeFolder: () => folder.create(),
      onFault: (fault) => this.#record.reportFault('chat.jsonl', fault?.reason ?? null),
    });
  }
}

export interface ChatRecordDeps {
  log: Log;
  clock: Clock;
  disk?: Disk;
  /** Called when the file has something new, for its index. */
  onChatWritten?: (terminalId: string) => void;
}

const factory = new ExtractorFactory();

/** The agent's name for people. */
export function labelOf(agent: string): string {
  return factory.byName(agent)?.label ?? 'Agent';
}

/** Whether tests have compared recordings of that version with the real conversations. */
export function isChecked(agent: string, version: string): boolean {
  return factory.byName(agent)?.checked?.includes(version) === true;
}

function inOrder(lines: Iterable<ChatLine>): ChatLine[] {
  return [...lines].sort((a, b) => a.order - b.order);
}
