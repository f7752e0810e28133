import type { SearchSpan } from '../../contract/search.ts';
import { type Token, tokensOf } from './foldText.ts';
import type { Phrase } from './parseWords.ts';

/** Matches of a query in a line. */
export interface LineMatch {
  readonly spans: SearchSpan[];
  /** Number of phrases in the line. */
  readonly score: number;
}

/** Finds the phrases of a query in lines, as the index finds them in texts. */
export class WordMatcher {
  readonly #phrases: readonly Phrase[];
  /** Skips most lines without any of the words. Only for ASCII lines: others are folded first. */
  readonly #hint: RegExp;

  constructor(phrases: readonly Phrase[]) {
    this.#phrases = phrases;
    const firsts = phrases.map(({ words }) => words[0] ?? '');
    this.#hint = new RegExp(firsts.join('|'), 'i'); // letters and digits only
  }

  get size(): number {
    return this.#phrases.length;
  }

  /** True if a phrase has several words, which may be on different lines. */
  get hasLongPhrase(): boolean {
    return this.#phrases.some(({ words }) => words.length > 1);
  }

  /** Source of a regular expression over bytes (one character each) that finds every line with the first word of a phrase. */
  get byteSign(): string {
    const firsts = this.#phrases.map(({ words }) => words[0] ?? '').filter((word) => /^[0-9a-z]+$/.test(word));
    const anyCase = firsts.map((word) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`));
    return [...anyCase, '[\\x80-\\xff]'].join('|'); // other characters than ASCII may fold to anything
  }

  /** False for a line without the first word of any phrase. */
  mayMatch(line: string): boolean {
    return !this.#mayPass(line);
  }

  /** Null for a line without any phrase. */
  line(line: string): LineMatch | null {
    if (this.#mayPass(line)) return null;
    const tokens = tokensOf(line);
    const spans: SearchSpan[] = [];
    let score = 0;
    for (const phrase of this.#phrases) {
      const own = spansOf(phrase, tokens);
      if (own.length > 0) score += 1;
      spans.push(...own);
    }
    return score === 0 ? null : { spans: joined(spans), score };
  }

  /** Returns a matcher for a text that arrives in pieces; a phrase may continue on the next line. */
  text(): TextMatch {
    return new TextMatch(this.#phrases);
  }

  #mayPass(line: string): boolean {
    return !this.#hint.test(line) && !/[^\x00-\x7f]/.test(line);
  }
}

/** Reads a text once and finds out which phrases it contains. */
export class TextMatch {
  readonly #missing: Set<Phrase>;
  readonly #longest: number;
  /** The last words, one fewer than the longest phrase has. */
  #last: Token[] = [];

  constructor(phrases: readonly Phrase[]) {
    this.#missing = new Set(phrases);
    this.#longest = Math.max(0, ...phrases.map(({ words }) => words.length));
  }

  get missing(): ReadonlySet<Phrase> {
    return this.#missing;
  }

  /** Starts another text of the same doc: phrases do not span texts. */
  nextText(): void {
    this.#last = [];
  }

  take(line: string): void {
    if (this.#missing.size === 0) return;
    const tokens = [...this.#last, ...tokensOf(line)];
    for (const phrase of this.#missing) if (spansOf(phrase, tokens).length > 0) this.#missing.delete(phrase);
    this.#last = this.#longest > 1 ? tokens.slice(1 - this.#longest) : [];
  }
}

function spansOf({ words, isPrefix }: Phrase, tokens: readonly Token[]): SearchSpan[] {
  const spans: SearchSpan[] = [];
  const end = words.length - 1;
  for (let at = 0; at + end < tokens.length; at++) {
    const isHere = words.every((word, n) => {
      const here = tokens[at + n]?.text;
      return here === word || (isPrefix && n === end && here?.startsWith(word) === true);
    });
    if (isHere) spans.push({ start: tokens[at]?.start ?? 0, end: tokens[at + end]?.end ?? 0 });
  }
  return spans;
}

/** Sorts spans and joins overlapping ones. */
function joined(spans: readonly SearchSpan[]): SearchSpan[] {
  const all: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}
