import { isDeepStrictEqual } from 'node:util';
import type { Changes } from '../changes/Changes.ts';
import type { AgentRow, AgentsChange } from '../contract/agents.ts';
import type { TerminalChange } from '../contract/api.ts';
import type { ChatLine, ChatMessage, Conversation } from '../contract/chat/chat.ts';
import type { ConversationStore } from '../conversations/record/ConversationStore.ts';
import { byNeed } from '../shared/byNeed.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';
import { Disposables, type IDisposable } from '../util/Disposables.ts';
import { Emitter, type Event } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';
import { detach } from '../util/strayErrors.ts';
import { agentRow } from './agentRow.ts';
import { projectOf } from './projectOf.ts';
import type { ReplyQueue } from './ReplyQueue.ts';
import { readQuestion } from './readQuestion.ts';

/** "Finished today": older conversations are in History. */
const RECENT_MS = 24 * 3600_000;
const MAX_FINISHED = 200;
/** Number of latest messages that are searched for the last sentence and the running tool. */
const LAST_MESSAGES = 20;
/** Time between two reads of a terminal, whose screen may change sixty times a second. */
const GATHER_MS = 150;
/** The first change after a pause is read this soon: it mostly is the state that a person waits for. Its parts come one after another. */
const SOON_MS = 30;

export interface BoardSpec {
  readonly clock: Clock;
  readonly chats: Pick<ConversationStore, 'list' | 'page'>;
  readonly replies: Pick<ReplyQueue, 'of' | 'onChange'>;
  readonly changes: Pick<Changes, 'files' | 'onChange'>;
  readonly terminals: {
    readonly onChange: Event<TerminalChange>;
    readonly all: readonly PtyInstance[];
    find(id: string): PtyInstance | undefined;
  };
}

/** `startBranch`: the branch when the agent was started. */
type RowPlace = Pick<AgentRow, 'files' | 'project'> & { readonly startBranch: string | null };

/** Lists every running agent, and those that ended within a day. Works only while it has subscribers. */
export class AgentsBoard {
  readonly #spec: BoardSpec;
  readonly #changed = new Emitter<AgentsChange>();
  readonly #rows = new Map<string, AgentRow>();
  /** Subscriptions to the conversations, by terminal. */
  readonly #chats = new Map<string, IDisposable>();
  readonly #due = new Map<string, IDisposable>();
  /** When each terminal was read last. */
  readonly #readMs = new Map<string, number>();
  #followers = 0;
  #work = new Disposables();
  #ready: Promise<void> = Promise.resolve();

  constructor(spec: BoardSpec) {
    this.#spec = spec;
  }

  async *follow(signal?: AbortSignal): AsyncGenerator<AgentsChange> {
    this.#followers += 1;
    if (this.#followers === 1) this.#ready = this.#begin();
    try {
      await this.#ready;
      yield* follow(this.#changed.on, () => [{ type: 'all', rows: [...this.#rows.values()] }], signal);
    } finally {
      this.#followers -= 1;
      if (this.#followers === 0) this.#end();
    }
  }

  /** The current rows: waiting agents first, then the latest news. */
  async list(): Promise<readonly AgentRow[]> {
    const following = new AbortController();
    for await (const change of this.follow(following.signal)) {
      if (change.type !== 'all') continue;
      following.abort();
      return change.rows.toSorted(byNeed);
    }
    return [];
  }

  /** Reads the rows of all running agents now. */
  async running(): Promise<readonly AgentRow[]> {
    const rows: AgentRow[] = [];
    for (const terminal of this.#spec.terminals.all) {
      const row = await this.rowIn(terminal);
      if (row) rows.push(row);
    }
    return rows.toSorted(byNeed);
  }

  /** Reads the row of the agent in a terminal now; null if no agent runs there. */
  async rowIn(terminal: PtyInstance): Promise<AgentRow | null> {
    if (!terminal.view.agent) return null;
    await terminal.chat.load();
    const shown = await readQuestion(terminal).catch(() => null); // the emulator is being replaced, or the terminal was closed
    const id = terminal.view.agent?.conversationId;
    const conversation = terminal.chat.conversations.find((one) => one.id === id);
    if (!conversation) return null;
    const place = await this.#placeOf(conversation, terminal);
    const live = { terminal, question: shown?.question ?? null };
    return placed(this.#rowOf(conversation, messagesOf(terminal.chat.lines, conversation.id), live), place);
  }

  async #begin(): Promise<void> {
    const { terminals, replies, changes } = this.#spec;
    this.#work = new Disposables();
    this.#work.add(terminals.onChange((change) => this.#see(change)));
    this.#work.add(replies.onChange((id) => this.#readLater(id)));
    this.#work.add(changes.onChange(({ terminalId }) => this.#readLater(terminalId)));
    await this.#readFinished();
    for (const terminal of terminals.all) {
      if (this.#followers === 0) return; // the page was closed meanwhile
      if (!terminal.view.agent) continue;
      this.#attach(terminal);
      await this.#read(terminal);
    }
  }

  #end(): void {
    this.#work.dispose();
    for (const owned of [...this.#chats.values(), ...this.#due.values()]) owned.dispose();
    this.#chats.clear();
    this.#due.clear();
    this.#readMs.clear();
    this.#rows.clear();
  }

  async #readFinished(): Promise<void> {
    const { chats, clock } = this.#spec;
    const sinceMs = clock.nowMs() - RECENT_MS;
    const recent = await chats.list({ limit: MAX_FINISHED });
    for (const conversation of recent) {
      if (conversation.updatedMs < sinceMs || conversation.messages === 0) continue;
      const { messages } = await chats.page(lastOf(conversation));
      const place = await this.#placeOf(conversation, this.#spec.terminals.find(conversation.terminalId));
      this.#show(placed(this.#rowOf(conversation, messages), place));
    }
  }

  #see(change: TerminalChange): void {
    if (change.type === 'removed') this.#closed(change.id);
    if (change.type !== 'changed') return;
    const { id, agent } = change.terminal;
    const terminal = this.#spec.terminals.find(id);
    if (agent && terminal) this.#attach(terminal);
    if (this.#chats.has(id)) this.#readLater(id);
  }

  /** Marks the conversations of a closed terminal as exited. */
  #closed(terminalId: string): void {
    this.#chats.get(terminalId)?.dispose();
    this.#chats.delete(terminalId);
    this.#due.get(terminalId)?.dispose();
    this.#due.delete(terminalId);
    this.#readMs.delete(terminalId);
    for (const row of this.#rows.values()) {
      if (row.terminalId !== terminalId || row.state === 'exited' || row.state === 'cleared') continue;
      const queued = this.#spec.replies.of(terminalId, row.conversationId); // unsent replies stay visible
      this.#show({ ...row, state: 'exited', question: null, queued, sinceMs: this.#spec.clock.nowMs() });
    }
  }

  #attach({ id, chat }: PtyInstance): void {
    if (!this.#chats.has(id))
      this.#chats.set(
        id,
        chat.onChange(() => this.#readLater(id)),
      );
  }

  #readLater(terminalId: string): void {
    if (this.#due.has(terminalId)) return;
    const { clock } = this.#spec;
    const sinceMs = clock.monotonicMs() - (this.#readMs.get(terminalId) ?? Number.NEGATIVE_INFINITY);
    const due = clock.after(Math.max(SOON_MS, GATHER_MS - sinceMs), () => {
      this.#due.delete(terminalId);
      this.#readMs.set(terminalId, clock.monotonicMs());
      const terminal = this.#spec.terminals.find(terminalId);
      if (terminal) detach('AgentsBoard', this.#read(terminal));
    });
    this.#due.set(terminalId, due);
  }

  /** The current conversation, and ended ones that the board still shows as current. */
  async #read(terminal: PtyInstance): Promise<void> {
    await terminal.chat.load();
    const shown = await readQuestion(terminal).catch(() => null); // the emulator is being replaced, or the terminal was closed
    if (!this.#chats.has(terminal.id)) return;
    const { lines, conversations } = terminal.chat;
    const live = terminal.view.agent?.conversationId;
    for (const conversation of conversations) {
      const { id, messages } = conversation;
      const before = this.#rows.get(id);
      const isOver = before?.state === 'exited' || before?.state === 'cleared';
      if (id !== live && (isOver || messages === 0 || conversation.updatedMs < this.#spec.clock.nowMs() - RECENT_MS))
        continue;
      const at = id === live ? { terminal, question: shown?.question ?? null } : null;
      const place = await this.#placeOf(conversation, terminal);
      if (!this.#chats.has(terminal.id)) return; // closed meanwhile: its row says so
      this.#show(placed(this.#rowOf(conversation, messagesOf(lines, id), at), place));
    }
  }

  #rowOf(
    conversation: Conversation,
    messages: readonly ChatMessage[],
    live: { terminal: PtyInstance; question: AgentRow['question'] } | null = null,
  ): AgentRow {
    const queued = this.#spec.replies.of(conversation.terminalId, conversation.id);
    return agentRow({
      conversation,
      messages,
      queued,
      view: live?.terminal.view ?? null,
      question: live?.question ?? null,
    });
  }

  /** Reads what is in git and in files. Await it before the row is made, which then is of now. */
  async #placeOf({ id, terminalId, cwd, blockId }: Conversation, terminal?: PtyInstance): Promise<RowPlace> {
    const [files, project, block] = await Promise.all([
      this.#spec.changes.files(terminalId, id),
      projectOf(cwd),
      blockId === null ? null : terminal?.book.get(blockId).catch(() => null),
    ]);
    return { files, project, startBranch: block?.gitBranch ?? null };
  }

  #show(row: AgentRow): void {
    if (isDeepStrictEqual(this.#rows.get(row.conversationId), row)) return;
    this.#rows.set(row.conversationId, row);
    this.#changed.fire({ type: 'row', row });
  }
}

function placed(row: AgentRow, { files, project, startBranch }: RowPlace): AgentRow {
  return { ...row, files, project, branch: row.branch ?? startBranch };
}

function lastOf({ terminalId, id: conversationId }: Conversation) {
  return { terminalId, conversationId, limit: LAST_MESSAGES };
}

function messagesOf(lines: readonly ChatLine[], conversationId: string): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (let at = lines.length - 1; at >= 0 && messages.length < LAST_MESSAGES; at -= 1) {
    const line = lines[at];
    if (line && 'kind' in line && line.conversationId === conversationId) messages.unshift(line);
  }
  return messages;
}
