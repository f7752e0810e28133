import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage } from '../../../contract/chat/extractor.ts';
import { GAP_LINE } from '../../../contract/chat/gapLine.ts';
import { plainWords } from './plainWords.ts';

/** Prompts that nobody types at once. */
const MIN_PROMPTS = 2;
/** Characters of words that are no chance where only a part of an answer is compared. */
const MIN_PART = 24;

type Said = Pick<ChatMessage, 'kind' | 'text'>;

/** What was said in an earlier conversation, in this terminal or in another one. */
export interface PastMessage {
  readonly conversationId: string;
  readonly kind: ChatMessage['kind'];
  /** See `plainWords`. */
  readonly words: string;
}

/** Messages that come from an earlier conversation, each with that conversation's id; null where it is not known. */
export type Replay = ReadonlyMap<ExtractedMessage, string | null>;

/** What is known when a picture comes. */
export interface Known {
  /** The conversation so far. */
  readonly log: readonly ChatMessage[];
  readonly past: readonly PastMessage[];
  /** What was sent last, and what stands in the input box. */
  readonly typed: readonly string[];
  /** Nothing was sent since the agent started: what stands there is history, as far as it is known. */
  readonly isUnused: boolean;
}

export function pastOf({ conversationId, kind, text }: Said & { conversationId: string }): PastMessage {
  return { conversationId, kind, words: plainWords(text) };
}

export function isSaid({ kind }: Pick<Said, 'kind'>): boolean {
  return kind === 'user' || kind === 'model';
}

/**
 * Of the messages `news`, which one picture adds to the log, those that a resumed agent has drawn again: up to the last that an
 * earlier conversation has. A question and an answer of it tell; where nothing was asked in this conversation yet an answer alone does, and a
 * prompt with anything behind it, or any prompt where nothing was sent. Several prompts at the very beginning are history of an unknown conversation. What was `typed` is new, with all behind it.
 */
export function replayIn(news: readonly ExtractedMessage[], { log, past, typed, isUnused }: Known): Replay {
  const own = typed.map(plainWords).filter((words) => words !== '');
  const ownAt = news.findIndex(({ kind, text }) => kind === 'user' && own.includes(plainWords(text)));
  const drawn = ownAt < 0 ? news : news.slice(0, ownAt);
  const isOld = (message: ChatMessage) => message.replayOf !== undefined || (isUnused && isAmong(past, message));
  const isFresh = log.every((message) => !isSaid(message) || isOld(message));
  const sources = sourcesOf(drawn.filter(isSaid), past);
  const found = (kind: ChatMessage['kind']) => [...sources.keys()].some((message) => message.kind === kind);
  const isFollowed = drawn.some(({ kind }) => kind !== 'user' && kind !== 'welcome');
  const isCutOff = isFresh && found('user') && (isFollowed || isUnused);
  if (isCutOff || (found('model') && (isFresh || found('user')))) {
    const last = drawn.findLastIndex((message) => sources.has(message));
    return linked(drawn.slice(0, last + 1), sources);
  }
  const isBegun = log.some(isSaid) || drawn.filter(({ kind }) => kind === 'user').length < MIN_PROMPTS;
  return new Map(isBegun ? [] : drawn.map((message) => [message, null]));
}

/**
 * Returns the earlier conversation that a message `seen` at place `at` of `log` belongs to, judged by its neighbours. A message above
 * history is history too, because a full redraw or scrolling shows it later. So is a message below history if nothing was asked yet
 * (`isUnused`), except how this run ended.
 */
export function historyAt(
  log: readonly ChatMessage[],
  at: number,
  { kind }: Pick<Said, 'kind'>,
  isUnused: boolean,
): ChatMessage['replayOf'] {
  const below = log.slice(at).find(({ replayOf }) => replayOf !== undefined);
  if (below || kind === 'user' || kind === 'exit' || !isUnused) return below?.replayOf;
  return log.slice(0, at).findLast(isSaid)?.replayOf;
}

function isAmong(past: readonly PastMessage[], { kind, text }: Said): boolean {
  const words = plainWords(text);
  return past.some((earlier) => earlier.kind === kind && earlier.words === words);
}

/** The conversation that most of `said` comes from, and of what it lacks another one. */
function sourcesOf(said: readonly ExtractedMessage[], past: readonly PastMessage[]): Map<ExtractedMessage, string> {
  const places = new Map<ExtractedMessage, readonly string[]>();
  const counts = new Map<string, number>();
  for (const message of said) {
    const own = new Set(past.filter((earlier) => isSame(earlier, message)).map((earlier) => earlier.conversationId));
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

/** What stands among messages of a conversation is of that one, too. */
function linked(drawn: readonly ExtractedMessage[], sources: ReadonlyMap<ExtractedMessage, string>): Replay {
  const replay = new Map<ExtractedMessage, string | null>();
  let next: string | null = null;
  for (const message of [...drawn].reverse()) {
    next = sources.get(message) ?? next;
    replay.set(message, next);
  }
  return replay;
}

/** Of an answer whose beginning is not drawn, or that did not come to its end, a part is enough. */
function isSame({ kind, words }: PastMessage, seen: ExtractedMessage): boolean {
  if (kind !== seen.kind) return false;
  const own = plainWords(seen.text.split(GAP_LINE).at(-1) ?? '');
  if (own === words) return own !== '';
  return (
    kind === 'model' && Math.min(own.length, words.length) >= MIN_PART && (words.includes(own) || own.includes(words))
  );
}
