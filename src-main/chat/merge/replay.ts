import type { ChatMessage } from '../../contract/chat.ts';
import type { ExtractedMessage } from '../../contract/extractor.ts';
import { plainWords } from './plainWords.ts';

/** Prompts that nobody types at once. */
const MIN_PROMPTS = 2;

type Said = Pick<ChatMessage, 'kind' | 'text'>;

/** Messages that were drawn at once and come from an earlier conversation. */
export interface Replay {
  /** The conversation they come from; null where it is not known. */
  readonly from: string | null;
  readonly messages: ReadonlySet<ExtractedMessage>;
}

/** What is known when a picture comes. */
export interface Known {
  /** The conversation so far. */
  readonly log: readonly ChatMessage[];
  /** What was said in the conversations before. */
  readonly earlier: readonly ChatMessage[];
  /** What was sent last, and what stands in the input box. */
  readonly typed: readonly string[];
}

/**
 * Of the messages `news`, which one picture adds to the log, those that an agent that was resumed has drawn again: they end
 * as a conversation of `earlier` does, or they are several prompts with their answers at the very beginning. Null for none, and where one of these prompts was `typed`.
 */
export function replayIn(news: readonly ExtractedMessage[], { log, earlier, typed }: Known): Replay | null {
  const said = news.filter(isSaid);
  const own = typed.map(plainWords).filter((words) => words !== '');
  if (said.some(({ kind, text }) => kind === 'user' && own.includes(plainWords(text)))) return null;
  const prompts = said.filter(({ kind }) => kind === 'user').length;
  if (prompts === 0 || prompts === said.length) return null;
  const ends = new Map<string, ChatMessage[]>();
  for (const message of earlier.filter(isSaid)) {
    const { conversationId } = message;
    ends.set(conversationId, [...(ends.get(conversationId) ?? []), message].slice(-said.length));
  }
  for (const [from, end] of [...ends].reverse()) {
    const to = lastOfEnd(said, end);
    const last = said[to];
    if (last) return { from, messages: new Set(news.slice(0, news.indexOf(last) + 1)) };
  }
  if (prompts < MIN_PROMPTS || log.some(isSaid)) return null;
  return { from: null, messages: new Set(news) };
}

/** Index in `said` of the last message of `end`, where all of `end` stands before it and a prompt with an answer among that; -1 for nowhere. */
function lastOfEnd(said: readonly Said[], end: readonly Said[]): number {
  if (!end.some(({ kind }) => kind === 'user') || !end.some(({ kind }) => kind === 'model')) return -1;
  return said.findLastIndex((_, at) => {
    const first = at + 1 - end.length;
    return first >= 0 && end.every((own, place) => isSame(own, said[first + place]));
  });
}

function isSame(a: Said, b: Said | undefined): boolean {
  return b !== undefined && a.kind === b.kind && plainWords(a.text) === plainWords(b.text);
}

function isSaid({ kind }: Said): boolean {
  return kind === 'user' || kind === 'model';
}
