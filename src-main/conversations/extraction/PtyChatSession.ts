import type { ChatEvent, ChatLine, ChatMessage } from '../../contract/chat/chat.ts';
import type { ExtractedMessage, Extraction } from '../../contract/chat/extractor.ts';
import { AnswerKeys } from './dialog/AnswerKeys.ts';
import { askedAgain } from './dialog/askedAgain.ts';
import { answeredBy, isPartOf, unanswered, unansweredIn, withUnsent } from './merge/answered.ts';
import { ChatLog } from './merge/ChatLog.ts';
import { Drafts } from './merge/Drafts.ts';
import { allOf, isMistaken, isRepetition } from './merge/doubts.ts';
import { isDone, SETTLED } from './merge/isDone.ts';
import { lastMoment, type Moment } from './merge/Moment.ts';
import { isOvertaken, isUntold, type Placed, placeMessages } from './merge/placeMessages.ts';
import { historyAt, type Known, mayBeOld, type PastMessage, pastTalk, type Replay, replayIn } from './merge/replay.ts';
import {
  isClearing,
  isClearingDraft,
  isCompacting,
  isGreetedAnew,
  isGreeting,
  isOfBefore,
  sinceClear,
} from './merge/sinceClear.ts';
import { stoppedCalls } from './merge/stoppedCalls.ts';
import { closed, newMessage, type Reading, updateMessage } from './merge/updateMessage.ts';

/** Messages at the end of a conversation that are compared with a snapshot, besides twice as many as it shows. */
const COMPARED_MESSAGES = 40;
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

/** Context for merging a picture's messages into the log. */
interface Merging {
  readonly log: readonly ChatMessage[];
  readonly seen: Extraction;
  readonly reading: Reading;
  readonly known: Known;
  readonly replay: Replay;
}

/**
 * The continuous log of all conversations with agents in one terminal, for its whole life. Each method that takes something in
 * returns the lines that it adds to chat.jsonl: new messages, new versions of known ones, events; nothing if nothing is new.
 * These lines hold its whole state, so `restore` continues where they end.
 */
export class PtyChatSession {
  readonly #terminalId: string;
  readonly #newId: () => string;
  readonly #log = new ChatLog();
  readonly #drafts = new Drafts();
  /** The answer that keys gave to the open question. */
  readonly answers = new AnswerKeys();
  /** Messages of earlier conversations, also in other terminals. */
  #past: readonly PastMessage[] = [];
  /** The agent was at work since the last prompt. */
  #hasWorked = false;

  /** `newId` returns an id that is not used by any line. */
  constructor(terminalId: string, newId: () => string) {
    this.#terminalId = terminalId;
    this.#newId = newId;
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
    const last = this.#log.events.findLast(({ type }) => type === 'cli:newSession' || type === 'cli:exit');
    return last?.type === 'cli:newSession' ? last : null;
  }

  begin({ at, atMs, agent, cwd, blockId, parentId, argv }: ChatBeginning): ChatLine[] {
    const { current } = this; // it is the same command's if a new core continues it
    if (current && blockId !== null && current.blockId === blockId && current.agent === agent) return [];
    const ended = current ? this.end({ at, atMs }) : [];
    this.#drafts.forget();
    this.#drafts.begin(argv);
    const begun = this.#event('cli:newSession', { at, atMs }, this.#newId(), {
      agent,
      ...(cwd !== null && { cwd }),
      ...(blockId !== null && { blockId }),
      ...(parentId !== undefined && { parentId }),
    });
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
    this.#past = past;
  }

  /** Call when it is known which agent the present conversation has. */
  identified(agent: string): ChatLine[] {
    return this.current?.agent === agent ? [] : this.#toldOfCurrent({ agent });
  }

  /** Call when the version of the running agent is known. */
  versioned(version: string): ChatLine[] {
    return this.current?.version === version ? [] : this.#toldOfCurrent({ version });
  }

  #toldOfCurrent(news: Pick<ChatEvent, 'agent' | 'version'>): ChatLine[] {
    const { current } = this;
    if (current) this.#log.put({ ...current, ...news });
    return current ? [{ ...current, ...news }] : [];
  }

  /** Merges the messages of a snapshot. Merging it again adds nothing; known messages are never removed. */
  updateFromSnapshot(extraction: Extraction, reading: Reading): ChatLine[] {
    const { current } = this;
    if (!current) return [];
    const all = this.#log.after(current.order);
    const again = askedAgain(all, extraction, reading.atMs);
    if (again) return [...this.put(again), ...this.updateFromSnapshot(extraction, reading)];
    const log = all.slice(-COMPARED_MESSAGES - 2 * extraction.messages.length);
    const isAfterClear = current.parentId !== undefined;
    if (isAfterClear && log.every(isGreeting) && isOfBefore(this.#before(current), extraction.messages)) return [];
    const drafts = this.#drafts.shown(extraction.draft ?? null);
    const own = sinceClear(log, extraction.messages, isAfterClear);
    const shown = { ...extraction, messages: own.length > 0 ? own : extraction.messages };
    if (drafts.some(isClearingDraft) && isGreetedAnew(log, shown, isAfterClear))
      return [...this.cleared(reading), ...this.updateFromSnapshot(extraction, reading)];
    const seen = { ...extraction, messages: withUnsent(own, log, this.#drafts.typed) };
    const isAsked = this.#drafts.sentSince(log);
    const placed = placeMessages(log, seen, { earlier: () => this.#before(current), isAsked });
    const news = placed.filter(({ known, before }) => known < 0 && before >= log.length).map((own) => own.seen);
    const known = this.#known(placed, current);
    const replay = replayIn(news, known);
    const merging = { log, seen, reading, known, replay };
    const lines = [...this.#drawnBefore(merging), ...placed.flatMap((own) => this.#take(own, merging))];
    // A new conversation began among these messages, so its greeting is read again, as part of it.
    if (this.current !== current) return [...lines, ...this.updateFromSnapshot(extraction, reading)];
    const stays = new Set(placed.map((own) => log[own.known]?.id));
    const gone = this.#close(extraction, stays, reading);
    const asked = extraction.messages.findLast(({ question }) => question)?.question;
    if (asked) this.answers.shown(asked, reading.atMs);
    this.#hasWorked ||= extraction.state === 'working';
    const isOver = extraction.state === 'idle' && !extraction.isCovered;
    return [...lines, ...gone, ...(isOver ? [...this.#unanswered(), ...this.#stopped(stays)] : [])];
  }

  /**
   * Return was pressed. `text`: what it sent; null if the keys do not show it. The text in the input box counts too: programs take a Return
   * that directly follows text for a line break, and send that text with the next Return.
   */
  sent(text: string | null): void {
    this.#drafts.sent(text);
  }

  /** The agent has ended: all open messages become final. */
  end({ at, atMs, resumeId }: Moment & { resumeId?: string }): ChatLine[] {
    const { current } = this;
    if (!current) return [];
    const lines = [...this.#finish(this.#log.after(current.order), atMs), ...this.#unanswered()];
    const more = resumeId === undefined ? {} : { resumeId };
    return [...lines, this.#event('cli:exit', { at, atMs }, current.conversationId, more)];
  }

  /** The agent ended unseen: the last known moment becomes its end. A second call returns the same line. */
  endUnseen(): ChatLine[] {
    const { current } = this;
    if (!current) return [];
    const { conversationId, order } = current;
    const messages = this.#log.after(order);
    const events = this.#log.events.filter((event) => event.order >= order);
    const exit = { id: `${conversationId}-end`, isUnseen: true };
    const lines = this.#finish(messages, current.atMs);
    return [...lines, this.#event('cli:exit', lastMoment(messages, events), conversationId, exit)];
  }

  /** A new conversation with the same agent begins. */
  cleared(moment: Moment): ChatLine[] {
    const { current } = this;
    if (!current) return [];
    this.#drafts.forget();
    const lines = this.#finish(this.#log.after(current.order), moment.atMs);
    const { agent, version, cwd, blockId, conversationId } = current;
    const told = {
      ...(agent && { agent }),
      ...(version && { version }),
      ...(cwd && { cwd }),
      ...(blockId && { blockId }),
      parentId: conversationId,
    };
    const clear = this.#event('cli:clear', moment, conversationId);
    return [...lines, clear, this.#event('cli:newSession', moment, this.#newId(), told)];
  }

  compacted(moment: Moment): ChatLine[] {
    return this.noted({ type: 'cli:compact' }, moment);
  }

  resized(moment: Moment): ChatLine[] {
    return this.noted({ type: 'cli:resize' }, moment);
  }

  /** The person cleared the terminal after the last conversation. A second call adds nothing. */
  screenCleared(moment: Moment): ChatLine[] {
    const last = this.#log.events.at(-1);
    if (!last || last.type === 'screenCleared') return [];
    return [this.#event('screenCleared', moment, last.conversationId)];
  }

  /** Adds an event that another source reports, to the conversation that it names or else to the current one. */
  noted({ type, ...told }: Pick<ChatEvent, 'type'> & Partial<ChatEvent>, moment: Moment): ChatLine[] {
    const id = told.conversationId ?? this.current?.conversationId;
    return id === undefined ? [] : [this.#event(type, moment, id, told)];
  }

  /** Takes a version of a message from another source: a hook or the agent log adds to it. */
  put(message: ChatMessage): ChatLine[] {
    this.#log.put(message);
    const answered = answeredBy(this.#log.messages, message);
    return answered ? [message, ...this.put(answered)] : [message];
  }

  /** Returns the order for a message of another source: at the end of the log, or directly before the message `id`. */
  orderBefore(id?: string): number {
    const at = id === undefined ? -1 : this.#log.messages.findIndex((message) => message.id === id);
    const next = this.#log.messages[at];
    if (!next) return this.#log.nextOrder();
    const begun = this.#log.events.findLast(({ type, order }) => type === 'cli:newSession' && order < next.order);
    return (Math.max(this.#log.messages[at - 1]?.order ?? 0, begun?.order ?? 0) + next.order) / 2;
  }

  #take(placed: Placed, { log, seen, reading, known, replay }: Merging): ChatLine[] {
    const isFinal = isDone(placed.seen, seen);
    const own = log[placed.known];
    if (own && isOvertaken(log, placed.known, placed.seen)) return own.final ? [] : this.put(closed(own, reading));
    if (!own && isUntold(log, placed.seen)) return [];
    if (own) {
      const taking = { isCovered: seen.isCovered, isFinal, isBehindGap: placed.isBehindGap };
      const isOther = isMistaken(log, own, placed.seen);
      const told = isOther ? { ...placed.seen, doubt: allOf(placed.seen.text, 'repeated') } : placed.seen;
      const next = updateMessage(own, told, taking, reading);
      return next === own ? [] : this.put(next);
    }
    const behind = log[placed.before];
    const all = this.#log.after(this.current?.order ?? 0);
    const at = behind ? all.findIndex(({ id }) => id === behind.id) : all.length;
    const replayOf = replay.get(placed.seen) ?? historyAt(all, at, placed.seen, known);
    if (replayOf !== undefined || replay.has(placed.seen)) {
      return this.put({ ...this.#message(placed.seen, behind?.id, true, reading), replayOf: replayOf ?? null });
    }
    // A conversation that has just begun after another one begins with the command that began it.
    const hasBegun = this.current?.parentId !== undefined && log.every(isGreeting);
    const isClear = !behind && !hasBegun && isClearing(placed.seen);
    const before = isClear ? this.cleared(reading) : [];
    const message = this.#message(this.#doubted(log, placed.seen, known), behind?.id, isFinal, reading);
    if (message.kind === 'user') {
      this.#hasWorked = false;
      this.#drafts.noted(message.text);
    }
    const lines = this.put(message);
    const after = !behind && isCompacting(placed.seen) ? this.compacted(reading) : [];
    return [...before, ...lines, ...after];
  }

  /** The agent has worked on the last prompt, and has said nothing. */
  #unanswered(): ChatLine[] {
    const prompt = this.#hasWorked ? unansweredIn(this.#log.after(this.current?.order ?? 0)) : null;
    return prompt ? this.put(unanswered(prompt)) : [];
  }

  #stopped(seen: ReadonlySet<string | undefined>): ChatLine[] {
    return stoppedCalls(this.#log.after(this.current?.order ?? 0), seen).flatMap((call) => this.put(call));
  }

  /** A new message may be an old one drawn again, or an answer whose question went by unseen. */
  #doubted(log: readonly ChatMessage[], seen: ExtractedMessage, known: Known): ExtractedMessage {
    if (isRepetition(log, seen) || mayBeOld(seen, known)) return { ...seen, doubt: allOf(seen.text, 'repeated') };
    const sent = this.#drafts.typed;
    if (seen.kind === 'user' && isPartOf(sent, seen)) return { ...seen, doubt: allOf(seen.text, 'shortened') };
    if (seen.kind !== 'model' || seen.doubt) return seen;
    const isAsked = this.#log.after(this.current?.order ?? 0).some(({ kind }) => kind === 'user' || kind === 'command');
    return isAsked ? seen : { ...seen, doubt: allOf(seen.text, 'unasked') };
  }

  #message(seen: ExtractedMessage, beforeId: string | undefined, isFinal: boolean, reading: Reading): ChatMessage {
    const order = this.orderBefore(beforeId);
    const conversationId = this.current?.conversationId ?? '';
    const named = { id: this.#newId(), terminalId: this.#terminalId, conversationId, order };
    return newMessage(named, seen, isFinal, reading);
  }

  /** Closes messages that are not shown any more and cannot continue. */
  #close({ state, isCovered }: Extraction, seen: ReadonlySet<string | undefined>, reading: Reading): ChatLine[] {
    const { current } = this;
    if (!current) return [];
    const all = this.#log.after(current.order);
    const last = all.findLast(({ kind }) => kind !== 'permission');
    const asked = all.findLast(({ kind }) => kind === 'permission');
    const isAskedAnew = (message: ChatMessage) => message !== asked;
    const isOver = (message: ChatMessage) =>
      message.kind === 'permission'
        ? !isCovered || isAskedAnew(message)
        : message !== last || (!isCovered && SETTLED.includes(state));
    const gone = all.filter((message) => !message.final && !seen.has(message.id) && isOver(message));
    const done = gone.map((message) => ({ ...closed(message, reading), ...this.#verdictOf(message, reading) }));
    for (const message of done) this.#log.put(message);
    return done;
  }

  #verdictOf({ kind, question }: ChatMessage, { atMs }: Reading): Pick<ChatMessage, 'question'> {
    if (kind !== 'permission') return {};
    return { question: { options: question?.options ?? [], verdict: this.answers.take(atMs) } };
  }

  #finish(messages: readonly ChatMessage[], atMs: number): ChatLine[] {
    const open = messages.filter(({ final }) => !final);
    const done = open.map((own) => ({ ...own, final: true, updatedMs: Math.max(own.updatedMs, atMs) }));
    for (const message of done) this.#log.put(message);
    return done;
  }

  #known(placed: readonly Placed[], { order, parentId }: ChatEvent): Known {
    const isNew = parentId === undefined && placed.some(({ known }) => known < 0);
    const past = isNew ? [...this.#past, ...pastTalk(this.#log.messages, order)] : [];
    return { log: this.#log.after(order), past, drafts: this.#drafts, isAfterClear: parentId !== undefined };
  }

  /** Marks history that was drawn piece by piece before anything was sent, and that was not recognized until now. */
  #drawnBefore({ log, replay }: Merging): ChatLine[] {
    const [from] = replay.values();
    if (from === undefined || !this.#drafts.isUnused) return [];
    const drawn = log.filter((message) => !isGreeting(message) && message.replayOf === undefined);
    return drawn.flatMap((message) => this.put({ ...message, replayOf: from }));
  }

  /** Messages of the conversation before `begun`. */
  #before({ parentId, order }: ChatEvent): ChatMessage[] {
    return this.#log.messages.filter((message) => message.conversationId === parentId && message.order < order);
  }

  #event(
    type: ChatEvent['type'],
    { at, atMs }: Moment,
    conversationId: string,
    more: Partial<ChatEvent> = {},
  ): ChatEvent {
    const named = { type, id: more.id ?? this.#newId(), terminalId: this.#terminalId, conversationId };
    const event: ChatEvent = { ...named, order: this.#log.nextOrder(), atMs, at, ...more };
    this.#log.put(event);
    return event;
  }
}
