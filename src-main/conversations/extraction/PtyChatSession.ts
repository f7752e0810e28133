import type { ChatEvent, ChatLine, ChatMessage } from '../../contract/chat/chat.ts';
import type { Extraction } from '../../contract/chat/extractor.ts';
import type { AnswerKeys } from './dialog/AnswerKeys.ts';
import { ChatLog } from './merge/ChatLog.ts';
import { lastMoment, type Moment } from './merge/Moment.ts';
import type { PastMessage } from './merge/replay.ts';
import { SnapshotMerge } from './merge/SnapshotMerge.ts';
import type { Reading } from './merge/updateMessage.ts';

/** See `forgetPast`. */
const KEPT_CONVERSATIONS = 2;

/** An agent's start in the terminal. */
export interface ChatBeginning {
  /** The extractor's name. */
  readonly agent: string;
  readonly cwd: string | null;
  readonly blockId: string | null;
  readonly parentId?: string;
  /** Words of its command line. */
  readonly argv?: readonly string[];
  readonly at: number;
  readonly atMs: number;
}

/**
 * The continuous log of all conversations with agents in one terminal, for its whole life. Each method that takes something in
 * returns the lines that it adds to chat.jsonl: new messages, new versions of known ones, events; nothing if nothing is new.
 * These lines hold its whole state, so `restore` continues where they end.
 */
export class PtyChatSession {
  readonly #log: ChatLog;
  readonly #merge: SnapshotMerge;

  /** `newId` returns an id that is not used by any line. */
  constructor(terminalId: string, newId: () => string) {
    this.#log = new ChatLog(terminalId, newId);
    this.#merge = new SnapshotMerge(this.#log);
  }

  /** Restores the session from the lines of a chat.jsonl, in the order in which they were written. */
  static restore(terminalId: string, lines: Iterable<ChatLine>, newId: () => string): PtyChatSession {
    const session = new PtyChatSession(terminalId, newId);
    for (const line of lines) session.#log.put(line);
    return session;
  }

  /** Messages of all conversations, in the order of the log. */
  get messages(): readonly ChatMessage[] {
    return this.#log.messages;
  }

  get events(): readonly ChatEvent[] {
    return this.#log.events;
  }

  /** The event that began the present conversation; null if there is no conversation now. */
  get current(): ChatEvent | null {
    return this.#log.current;
  }

  /** The answer that keys gave to the open question. */
  get answers(): AnswerKeys {
    return this.#merge.answers;
  }

  begin({ at, atMs, agent, cwd, blockId, parentId, argv }: ChatBeginning): ChatLine[] {
    const { current } = this; // it is the same command's if a new core continues it
    if (current && blockId !== null && current.blockId === blockId && current.agent === agent) return [];
    const ended = current ? this.end({ at, atMs }) : [];
    this.#merge.begin(argv);
    const facts = {
      agent,
      ...(cwd !== null && { cwd }),
      ...(blockId !== null && { blockId }),
      ...(parentId !== undefined && { parentId }),
    };
    const begun = this.#log.begin({ at, atMs }, facts);
    return [...ended, begun];
  }

  /**
   * Forgets all but the last conversations, because a terminal may live for weeks and the next conversation needs only the last order. Two
   * are kept: the agent log may still add to the last one.
   */
  forgetPast(): void {
    const kept = this.#log.events.filter(({ type }) => type === 'cli:newSession').at(-KEPT_CONVERSATIONS);
    if (kept) this.#log.forgetBefore(kept.order);
  }

  /** Sets the earlier messages, also of other terminals, that a resumed agent may draw again. Valid until the next call. */
  recall(past: readonly PastMessage[]): void {
    this.#merge.recall(past);
  }

  /** Call when it is known which agent the present conversation has. */
  identified(agent: string): ChatLine[] {
    return this.current?.agent === agent ? [] : this.#toldOfCurrent({ agent });
  }

  /** Call when the version of the running agent is known. */
  versioned(version: string): ChatLine[] {
    return this.current?.version === version ? [] : this.#toldOfCurrent({ version });
  }

  /** Gives a conversation the person's title. Nothing for a conversation whose beginning was forgotten. */
  titled(conversationId: string, title: string): ChatLine[] {
    const begun = this.#log.events.findLast(
      (one) => one.type === 'cli:newSession' && one.conversationId === conversationId,
    );
    if (!begun) return [];
    const named = { ...begun, title };
    this.#log.put(named);
    return [named];
  }

  #toldOfCurrent(news: Pick<ChatEvent, 'agent' | 'version'>): ChatLine[] {
    const { current } = this;
    if (current) this.#log.put({ ...current, ...news });
    return current ? [{ ...current, ...news }] : [];
  }

  /** Merges the messages of a snapshot. Merging it again adds nothing; known messages are never removed. */
  updateFromSnapshot(extraction: Extraction, reading: Reading): ChatLine[] {
    return this.#merge.update(extraction, reading);
  }

  /**
   * Return was pressed. `text`: what it sent; null if the keys do not show it. The text in the input box counts too: programs take a Return
   * that directly follows text for a line break, and send that text with the next Return.
   */
  sent(text: string | null): void {
    this.#merge.sent(text);
  }

  /** The agent has ended: all open messages become final. */
  end({ at, atMs, resumeId }: Moment & { resumeId?: string }): ChatLine[] {
    const { current } = this;
    if (!current) return [];
    const lines = [...this.#log.finish(this.#log.after(current.order), atMs), ...this.#merge.unanswered()];
    const more = resumeId === undefined ? {} : { resumeId };
    return [...lines, this.#log.addEvent('cli:exit', { at, atMs }, current.conversationId, more)];
  }

  /** Takes the id for resuming from the agent log: the exit may show none, or only its beginning. */
  resumable(conversationId: string, resumeId: string): ChatLine[] {
    const exit = this.#log.events.findLast((one) => one.type === 'cli:exit' && one.conversationId === conversationId);
    const { resumeId: shown = '' } = exit ?? {};
    if (!exit || shown === resumeId || !resumeId.startsWith(shown)) return [];
    const whole = { ...exit, resumeId };
    this.#log.put(whole);
    return [whole];
  }

  /** The agent ended unseen: the last known moment becomes its end. A second call returns the same line. */
  endUnseen(): ChatLine[] {
    const { current } = this;
    if (!current) return [];
    const { conversationId, order } = current;
    const messages = this.#log.after(order);
    const events = this.#log.events.filter((event) => event.order >= order);
    const exit = { id: `${conversationId}-end`, isUnseen: true };
    const lines = this.#log.finish(messages, current.atMs);
    return [...lines, this.#log.addEvent('cli:exit', lastMoment(messages, events), conversationId, exit)];
  }

  /** A new conversation with the same agent begins. */
  cleared(moment: Moment): ChatLine[] {
    return this.#merge.cleared(moment);
  }

  resized(moment: Moment): ChatLine[] {
    return this.noted({ type: 'cli:resize' }, moment);
  }

  /** The person cleared the terminal after the last conversation. A second call adds nothing. */
  screenCleared(moment: Moment): ChatLine[] {
    const last = this.#log.events.at(-1);
    if (!last || last.type === 'screenCleared') return [];
    return [this.#log.addEvent('screenCleared', moment, last.conversationId)];
  }

  /** Adds an event that another source reports, to the conversation that it names or else to the current one. */
  noted({ type, ...told }: Pick<ChatEvent, 'type'> & Partial<ChatEvent>, moment: Moment): ChatLine[] {
    const id = told.conversationId ?? this.current?.conversationId;
    return id === undefined ? [] : [this.#log.addEvent(type, moment, id, told)];
  }

  /** Takes a version of a message from another source: a hook or the agent log adds to it. */
  put(message: ChatMessage): ChatLine[] {
    return this.#log.add(message);
  }
}
