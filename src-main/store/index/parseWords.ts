import { isSingle, tokensOf } from './foldText.ts';

/** Words that must follow each other. */
export interface Phrase {
  readonly words: readonly string[];
  /** The last of them may go on. */
  readonly isPrefix: boolean;
}

/** A shorter start is a word of its own: half of all words begin with any one letter. */
const MIN_PREFIX_CHARS = 2;
/** More pieces than anybody types; each costs a look. */
const MAX_PHRASES = 32;
const PIECE = /"([^"]*)"?|[^\s"]+/g;

/**
 * The phrases of a query. Every string is one: what is quoted is a phrase, and so is a piece of several words such as a path. The last
 * word is the start of one unless it is quoted or a space follows. Empty for a query without letters, digits and signs.
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

/** The phrases as an FTS5 expression over the named columns. Words hold no character that means something to FTS5. */
export function toMatch(phrases: readonly Phrase[], columns: readonly string[]): string {
  const all = phrases.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`);
  return `{${columns.join(' ')}} : (${all.join(' AND ')})`;
}
