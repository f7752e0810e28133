import type { ChatEvent, ChatLine, ChatMessage } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';
import { AnswerKeys } from '../dialog/AnswerKeys.ts';
import { askedAgain } from '../dialog/askedAgain.ts';
import { isPartOf, unanswered, unansweredIn, withUnsent } from './answered.ts';
import type { ChatLog } from './ChatLog.ts';
import { isDrawnInto, isOvertaken, isUntold } from './cutShort.ts';
import { Drafts } from './Drafts.ts';
import { allOf, isMistaken, isRepetition } from './doubts.ts';
import { isDone, SETTLED } from './isDone.ts';
import type { Moment } from './Moment.ts';
import { type Placed, placeMessages } from './placeMessages.ts';
import { historyAt, type Known, mayBeOld, type PastMessage, pastTalk, type Replay, replayIn } from './replay.ts';
import {
  isClearing,
  isClearingDraft,
  isCompacting,
  isGreetedAnew,
  isGreeting,
  isOfBefore,
  sinceClear,
} from './sinceClear.ts';
import { stoppedCalls } from './stoppedCalls.ts';
import { closed, newMessage, type Reading, updateMessage } from './updateMessage.ts';

/** Messages at the end of a conversation that are compared with a snapshot, besides twice as many as it shows. */
const COMPARED_MESSAGES = 40;

/** Context for merging a picture's messages into the log. */
interface Merging {
  readonly log: readonly ChatMessage[];
  readonly seen: Extraction;
  readonly reading: Reading;
  readonly known: Known;
  readonly replay: Replay;
  /** Messages that belong at the end of the log. */
  readonly news: readonly ExtractedMessage[];
}

/** Merges what an agent's screen shows into the log: places its messages, and finds which of them are new, known, over or history. */
export class SnapshotMerge {
  readonly #log: ChatLog;
  readonly #drafts = new Drafts();
  /** The answer that keys gave to the open question. */
  readonly answers = new AnswerKeys();
  /** Messages of earlier conversations, also in other terminals. */
  #past: readonly PastMessage[] = [];
  /** The agent was at work since the last prompt. */
  #hasWorked = false;

  constructor(log: ChatLog) {
    this.#log = log;
  }

  /** Another agent starts. `argv`: words of its command line. */
  begin(argv: readonly string[] | undefined): void {
    this.#drafts.forget();
    this.#drafts.begin(argv);
  }

  /** See `PtyChatSession.recall`. */
  recall(past: readonly PastMessage[]): void {
    this.#past = past;
  }

  /** See `PtyChatSession.sent`. */
  sent(text: string | null): void {
    this.#drafts.sent(text);
  }

  /** Merges the messages of a snapshot. Merging it again adds nothing; known messages are never removed. */
  update(extraction: Extraction, reading: Reading): ChatLine[] {
    const { current } = this.#log;
    if (!current) return [];
    const all = this.#log.after(current.order);
    const again = askedAgain(all, extraction, reading.atMs);
    if (again) return [...this.#log.add(again), ...this.update(extraction, reading)];
    const log = all.slice(-COMPARED_MESSAGES - 2 * extraction.messages.length);
    const isAfterClear = current.parentId !== undefined;
    if (isAfterClear && log.every(isGreeting) && isOfBefore(this.#log.before(current), extraction.messages)) return [];
    const drafts = this.#drafts.shown(extraction.draft ?? null);
    const own = sinceClear(log, extraction.messages, isAfterClear);
    const shown = { ...extraction, messages: own.length > 0 ? own : extraction.messages };
    if (drafts.some(isClearingDraft) && isGreetedAnew(log, shown, isAfterClear))
      return [...this.cleared(reading), ...this.update(extraction, reading)];
    const seen = { ...extraction, messages: withUnsent(own, log, this.#drafts.typed) };
    const isAsked = this.#drafts.sentSince(log);
    const placed = placeMessages(log, seen, { earlier: () => this.#log.before(current), isAsked });
    const news = placed.filter(({ known, before }) => known < 0 && before >= log.length).map((own) => own.seen);
    const known = this.#known(placed, current);
    const replay = replayIn(news, known);
    const merging = { log, seen, reading, known, replay, news };
    const lines = [...this.#drawnBefore(merging), ...placed.flatMap((own) => this.#take(own, merging))];
    // A new conversation began among these messages, so its greeting is read again, as part of it.
    if (this.#log.current !== current) return [...lines, ...this.update(extraction, reading)];
    const stays = new Set(placed.map((own) => log[own.known]?.id));
    const gone = this.#close(extraction, stays, reading);
    const asked = extraction.messages.findLast(({ question }) => question)?.question;
    if (asked) this.answers.shown(asked, reading.atMs);
    this.#hasWorked ||= extraction.state === 'working';
    const isOver = extraction.state === 'idle' && !extraction.isCovered;
    return [...lines, ...gone, ...(isOver ? [...this.unanswered(), ...this.#stopped(stays)] : [])];
  }

  /** A new conversation with the same agent begins. */
  cleared(moment: Moment): ChatLine[] {
    const { current } = this.#log;
    if (!current) return [];
    this.#drafts.forget();
    const lines = this.#log.finish(this.#log.after(current.order), moment.atMs);
    const { agent, version, cwd, blockId, conversationId } = current;
    const told = {
      ...(agent && { agent }),
      ...(version && { version }),
      ...(cwd && { cwd }),
      ...(blockId && { blockId }),
      parentId: conversationId,
    };
    const clear = this.#log.addEvent('cli:clear', moment, conversationId);
    return [...lines, clear, this.#log.begin(moment, told)];
  }

  #take(placed: Placed, { log, seen, reading, known, replay, news }: Merging): ChatLine[] {
    const isFinal = isDone(placed.seen, seen);
    const own = log[placed.known];
    const above = news.filter((one) => seen.messages.indexOf(one) < seen.messages.indexOf(placed.seen));
    if (own && isOvertaken(log, placed.known, placed.seen, above))
      return own.final ? [] : this.#log.add(closed(own, reading));
    if (!own && isUntold(log, placed.seen)) return [];
    if (own) {
      const taking = { isCovered: seen.isCovered, isFinal, isBehindGap: placed.isBehindGap };
      const isOther = isMistaken(log, own, placed.seen);
      const told = isOther ? { ...placed.seen, doubt: allOf(placed.seen.text, 'repeated') } : placed.seen;
      const next = updateMessage(own, told, taking, reading);
      return next === own ? [] : this.#log.add(next);
    }
    const behind = log[placed.before];
    const all = this.#log.after(this.#log.current?.order ?? 0);
    const at = behind ? all.findIndex(({ id }) => id === behind.id) : all.length;
    const replayOf = replay.get(placed.seen) ?? historyAt(all, at, placed.seen, known);
    if (replayOf !== undefined || replay.has(placed.seen)) {
      return this.#log.add({
        ...newMessage(this.#log.place(behind?.id), placed.seen, true, reading),
        replayOf: replayOf ?? null,
      });
    }
    // A conversation that has just begun after another one begins with the command that began it.
    const hasBegun = this.#log.current?.parentId !== undefined && log.every(isGreeting);
    const isClear = !behind && !hasBegun && isClearing(placed.seen);
    const before = isClear ? this.cleared(reading) : [];
    const doubted = this.#doubted(log, placed.seen, known);
    const message = newMessage(this.#log.place(behind?.id), doubted, isFinal, reading);
    if (message.kind === 'user') {
      this.#hasWorked = false;
      this.#drafts.noted(message.text);
    }
    const lines = this.#log.add(message);
    const after = !behind && isCompacting(placed.seen) ? this.#compacted(reading) : [];
    return [...before, ...lines, ...after];
  }

  #compacted(moment: Moment): ChatLine[] {
    const { current } = this.#log;
    return current ? [this.#log.addEvent('cli:compact', moment, current.conversationId)] : [];
  }

  /** The agent has worked on the last prompt, and has said nothing. */
  unanswered(): ChatLine[] {
    const prompt = this.#hasWorked ? unansweredIn(this.#log.after(this.#log.current?.order ?? 0)) : null;
    return prompt ? this.#log.add(unanswered(prompt)) : [];
  }

  #stopped(seen: ReadonlySet<string | undefined>): ChatLine[] {
    return stoppedCalls(this.#log.after(this.#log.current?.order ?? 0), seen).flatMap((call) => this.#log.add(call));
  }

  /** A new message may be an old one drawn again, or an answer whose question went by unseen. */
  #doubted(log: readonly ChatMessage[], seen: ExtractedMessage, known: Known): ExtractedMessage {
    if (isDrawnInto(log, seen)) return { ...seen, doubt: allOf(seen.text, 'joined') };
    if (isRepetition(log, seen) || mayBeOld(seen, known)) return { ...seen, doubt: allOf(seen.text, 'repeated') };
    const sent = this.#drafts.typed;
    if (seen.kind === 'user' && isPartOf(sent, seen)) return { ...seen, doubt: allOf(seen.text, 'shortened') };
    if (seen.kind !== 'model' || seen.doubt) return seen;
    const isAsked = this.#log
      .after(this.#log.current?.order ?? 0)
      .some(({ kind }) => kind === 'user' || kind === 'command');
    return isAsked ? seen : { ...seen, doubt: allOf(seen.text, 'unasked') };
  }

  /** Closes messages that are not shown any more and cannot continue. */
  #close({ state, isCovered }: Extraction, seen: ReadonlySet<string | undefined>, reading: Reading): ChatLine[] {
    const { current } = this.#log;
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
    return drawn.flatMap((message) => this.#log.add({ ...message, replayOf: from }));
  }
}
