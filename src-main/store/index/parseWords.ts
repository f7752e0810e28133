import { isSingle, tokensOf } from './foldText.ts';

/** Words that must follow each other. */
export interface Phrase {
  readonly words: readonly string[];
  /** The last word may be the start of a longer one. */
  readonly isPrefix: boolean;
}

/** A shorter start counts as a whole word: half of all words begin with any given letter. */
const MIN_PREFIX_CHARS = 2;
/** More pieces than a person types; each costs a lookup. */
const MAX_PHRASES = 32;
const PIECE = /"([^"]*)"?|[^\s"]+/g;

/**
 * Splits a query into phrases: each quoted string is one, and so is a piece of several words such as a path. The last
 * word matches as a prefix unless it is quoted or a space follows. Empty for a query without letters, digits and signs.
 */
export function parseWords(query: string): Phrase[] {
  const phrases: Phrase[] = [];
  for (const match of query.matchAll(PIECE)) {
    const [piece, quoted] = match;
    const words = tokensOf(quoted ?? piece).map(({ text }) => text);
    const last = words.at(-1);
    if (last === undefined) continue;
    const isLast = match.index + piece.length === query.length;
    const isPrefix = isLast && quoted === undefined && last.length >= MIN_PREFIX_CHARS && !isSingle(last);
    phrases.push({ words, isPrefix });
    if (phrases.length === MAX_PHRASES) break;
  }
  return phrases;
}

/** Formats the phrases as an FTS5 expression over the named columns. Words contain no character with a meaning in FTS5. */
export function toMatch(phrases: readonly Phrase[], columns: readonly string[]): string {
  const all = phrases.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`);
  return `{${columns.join(' ')}} : (${all.join(' AND ')})`;
}
