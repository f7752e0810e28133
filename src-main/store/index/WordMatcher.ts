import type { SearchSpan } from '../../contract/search.ts';
import { type Token, tokensOf } from './foldText.ts';
import type { Phrase } from './parseWords.ts';

/** What a line has of a query. */
export interface LineMatch {
  readonly spans: SearchSpan[];
  /** How many of the phrases it has. */
  readonly score: number;
}

/** Finds the phrases of a query in lines, as the index finds them in texts. */
export class WordMatcher {
  readonly #phrases: readonly Phrase[];
  /** Passes over most lines that have none of the words. Only for ASCII lines: others are folded first. */
  readonly #hint: RegExp;

  constructor(phrases: readonly Phrase[]) {
    this.#phrases = phrases;
    const firsts = phrases.map(({ words }) => words[0] ?? '');
    this.#hint = new RegExp(firsts.join('|'), 'i'); // letters and digits only
  }

  get size(): number {
    return this.#phrases.length;
  }

  /** Words of a phrase may be in different lines. */
  get hasLongPhrase(): boolean {
    return this.#phrases.some(({ words }) => words.length > 1);
  }

  /** Source of an expression over bytes, a character each, that finds every line with the first word of a phrase. */
  get byteSign(): string {
    const firsts = this.#phrases.map(({ words }) => words[0] ?? '').filter((word) => /^[0-9a-z]+$/.test(word));
    const anyCase = firsts.map((word) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`));
    return [...anyCase, '[\\x80-\\xff]'].join('|'); // what is not ASCII may fold to anything
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

  /** Which phrases a text has that comes in pieces; words of neighbouring lines follow each other. */
  text(): TextMatch {
    return new TextMatch(this.#phrases);
  }

  #mayPass(line: string): boolean {
    return !this.#hint.test(line) && !/[^\x00-\x7f]/.test(line);
  }
}

/** Reads a text once and knows which phrases it has. */
export class TextMatch {
  readonly #missing: Set<Phrase>;
  readonly #longest: number;
  /** The last words, as many as a phrase may have before its last. */
  #last: Token[] = [];

  constructor(phrases: readonly Phrase[]) {
    this.#missing = new Set(phrases);
    this.#longest = Math.max(0, ...phrases.map(({ words }) => words.length));
  }

  get missing(): ReadonlySet<Phrase> {
    return this.#missing;
  }

  /** What follows is another text of the same doc: a phrase does not go on into it. */
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

/** In order, overlapping ones as one. */
function joined(spans: readonly SearchSpan[]): SearchSpan[] {
  const all: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}
