import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage } from '../../../contract/chat/extractor.ts';
import { GAP_LINE } from '../../../contract/chat/gapLine.ts';
import type { Drafts } from './Drafts.ts';
import { plainWords } from './plainWords.ts';

/** A person does not type this many prompts at once. */
const MIN_PROMPTS = 2;
/** Word characters that a part of an answer must have, so that a match is not chance. */
const MIN_PART = 24;
/** Parts of an answer that are looked for in an earlier one, in which lines may be missing, and the share that must be there. */
const SAMPLED_PARTS = 16;
const KNOWN_PARTS = 0.6;
const PARTS = new RegExp(`.{${MIN_PART}}`, 'gsu');

type Said = Pick<ChatMessage, 'kind' | 'text'>;

/** A message of an earlier conversation, in this terminal or in another one. */
export interface PastMessage {
  readonly conversationId: string;
  readonly kind: ChatMessage['kind'];
  /** See `plainWords`. */
  readonly words: string;
}

/** Messages that come from an earlier conversation, each with that conversation's id; null if unknown. */
export type Replay = ReadonlyMap<ExtractedMessage, string | null>;

/** What is known when a picture is read. */
export interface Known {
  /** The conversation so far. */
  readonly log: readonly ChatMessage[];
  readonly past: readonly PastMessage[];
  readonly drafts: Pick<Drafts, 'typed' | 'isUnused' | 'isNotSent'>;
  /** The conversation follows a clear, so the agent does not redraw earlier messages. */
  readonly isAfterClear: boolean;
}

export function pastOf({ conversationId, kind, text }: Said & { conversationId: string }): PastMessage {
  return { conversationId, kind, words: plainWords(text) };
}

/** Prompts and answers of the conversations before the one that begins at `order`. */
export function pastTalk(messages: readonly ChatMessage[], order: number): PastMessage[] {
  return messages.filter((one) => one.order < order && one.replayOf === undefined && isSaid(one)).map(pastOf);
}

export function isSaid({ kind }: Pick<Said, 'kind'>): boolean {
  return kind === 'user' || kind === 'model';
}

/**
 * Finds the messages of `news`, which one picture adds to the log, that a resumed agent has drawn again: all up to the last one that an
 * earlier conversation has. A known question and a known answer prove this. If nothing was asked in this conversation yet, a known answer
 * alone does too, as does a known prompt that something follows, or any known prompt if nothing that was sent begins like it. Several
 * prompts at the very beginning are history of an unknown conversation. A `typed` prompt and everything after it is new.
 */
export function replayIn(news: readonly ExtractedMessage[], { log, past, drafts, isAfterClear }: Known): Replay {
  if (isAfterClear || !news.some(isSaid)) return new Map();
  const own = drafts.typed.map(plainWords).filter((words) => words !== '');
  const ownAt = news.findIndex(({ kind, text }) => kind === 'user' && own.includes(plainWords(text)));
  const drawn = ownAt < 0 ? news : news.slice(0, ownAt);
  const isOld = (message: ChatMessage) => message.replayOf !== undefined || (drafts.isUnused && isAmong(past, message));
  const isFresh = log.every((message) => !isSaid(message) || isOld(message));
  // Before the first prompt of this run, an answer is an earlier one even if either was read with lines missing.
  const sources = sourcesOf(drawn.filter(isSaid), past, isFresh ? mostlySame : same);
  const found = (kind: ChatMessage['kind']) => [...sources.keys()].some((message) => message.kind === kind);
  const isFollowed = drawn.some(({ kind }) => kind !== 'user' && kind !== 'welcome');
  const isStrange = drawn.every(({ kind, text }) => kind !== 'user' || drafts.isNotSent(text));
  const isCutOff = isFresh && found('user') && (isFollowed || drafts.isUnused || isStrange);
  if (isCutOff || (found('model') && (isFresh || found('user')))) {
    const last = drawn.findLastIndex((message) => sources.has(message));
    return linked(drawn.slice(0, last + 1), sources);
  }
  const isBegun = log.some(isSaid) || drawn.filter(({ kind }) => kind === 'user').length < MIN_PROMPTS;
  return new Map(isBegun ? [] : drawn.map((message) => [message, null]));
}

/**
 * Returns the earlier conversation that a message `seen` at index `at` of `log` belongs to, judged by its neighbours. A message above
 * history is history too, because a full redraw or scrolling shows it later. So is a message below history if nothing was asked yet
 * (`isUnused`), except how this run ended. Above the first prompt of this run, a message of an earlier conversation is history if not sent.
 */
export function historyAt(
  log: readonly ChatMessage[],
  at: number,
  seen: ExtractedMessage,
  { past, drafts }: Pick<Known, 'past' | 'drafts'>,
): ChatMessage['replayOf'] {
  const below = log.slice(at).find(({ replayOf }) => replayOf !== undefined);
  if (below) return below.replayOf;
  const above = log.slice(0, at).filter(isSaid);
  if (seen.kind !== 'user' && seen.kind !== 'exit' && drafts.isUnused) return above.at(-1)?.replayOf;
  const isAboveAll = above.every(({ replayOf }) => replayOf !== undefined);
  if (!isAboveAll || !log.slice(at).some(({ kind }) => kind === 'user')) return undefined;
  if (!isSaid(seen) || (seen.kind === 'user' && !drafts.isNotSent(seen.text))) return undefined;
  return past.findLast((earlier) => isSame(earlier, seen))?.conversationId;
}

/** Whether a prompt of an earlier conversation, which was not sent as far as known, is history drawn late or the same prompt sent again. */
export function mayBeOld(seen: ExtractedMessage, { past, drafts }: Pick<Known, 'past' | 'drafts'>): boolean {
  if (seen.kind !== 'user' || drafts.isUnused || !isAmong(past, seen)) return false;
  return drafts.typed.every((text) => plainWords(text) !== plainWords(seen.text));
}

function isAmong(past: readonly PastMessage[], { kind, text }: Said): boolean {
  const words = plainWords(text);
  return past.some((earlier) => earlier.kind === kind && earlier.words === words);
}

/** Maps messages to the earlier conversation that has most of `said`, and messages that it lacks to another one. */
function sourcesOf(
  said: readonly ExtractedMessage[],
  past: readonly PastMessage[],
  sameAs: Matching,
): Map<ExtractedMessage, string> {
  const places = new Map<ExtractedMessage, readonly string[]>();
  const counts = new Map<string, number>();
  for (const message of said) {
    const own = new Set(past.filter(sameAs(message)).map((earlier) => earlier.conversationId));
    if (own.size > 0) places.set(message, [...own]);
    for (const id of own) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  const best = [...counts.keys()].findLast((id) => counts.get(id) === most);
  return new Map(
    [...places].map(([message, ids]) => [
      message,
      (best !== undefined && ids.includes(best) ? best : ids.at(-1)) ?? '',
    ]),
  );
}

/** Links each message to its conversation; a message without one belongs to that of the next message. */
function linked(drawn: readonly ExtractedMessage[], sources: ReadonlyMap<ExtractedMessage, string>): Replay {
  const replay = new Map<ExtractedMessage, string | null>();
  let next: string | null = null;
  for (const message of [...drawn].reverse()) {
    next = sources.get(message) ?? next;
    replay.set(message, next);
  }
  return replay;
}

/** A part is enough for an answer whose beginning is not drawn, or which was cut short. */
function isSame({ kind, words }: PastMessage, seen: ExtractedMessage): boolean {
  if (kind !== seen.kind) return false;
  const own = plainWords(seen.text.split(GAP_LINE).at(-1) ?? '');
  if (own === words) return own !== '';
  return (
    kind === 'model' && Math.min(own.length, words.length) >= MIN_PART && (words.includes(own) || own.includes(words))
  );
}

/** Returns whether an earlier message is the message `seen`. */
type Matching = (seen: ExtractedMessage) => (earlier: PastMessage) => boolean;

const same: Matching = (seen) => (earlier) => isSame(earlier, seen);

/** Most parts of an answer in an earlier one are enough. */
const mostlySame: Matching = (seen) => {
  const parts = seen.kind === 'model' ? (plainWords(seen.text.split(GAP_LINE).at(-1) ?? '').match(PARTS) ?? []) : [];
  const step = Math.max(1, Math.ceil(parts.length / SAMPLED_PARTS));
  const sample = parts.filter((_, at) => at % step === 0);
  const hasMost = ({ kind, words }: PastMessage) =>
    kind === 'model' && sample.filter((part) => words.includes(part)).length >= sample.length * KNOWN_PARTS;
  return (earlier) => isSame(earlier, seen) || (sample.length > 1 && hasMost(earlier));
};
