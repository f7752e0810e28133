import type { SearchLine, SearchSpan } from '../../contract/search.ts';

/** Lines that a hit shows. */
const MAX_LINES = 3;
/** Characters of a line that are shown, and how many of them stand before the first match. */
const SHOWN_CHARS = 240;
const BEFORE_CHARS = 60;
/** Marks in one line: more are of no use to anybody. */
const MAX_SPANS = 40;

/** What a line has of a query; null for nothing. `score` counts the parts of the query that it has. */
export type MatchLine = (line: string) => { spans: readonly SearchSpan[]; score: number } | null;

interface Picked {
  n: number;
  line: string;
  spans: readonly SearchSpan[];
  score: number;
}

/** Gathers the lines of a text that tell most about a match: those with most of the query, the first of them first. */
export class SnippetSelector {
  readonly #enough: number;
  #picked: Picked[] = [];
  #count = 0;

  /** `enough` is the score of a line that no other can beat. */
  constructor(enough: number) {
    this.#enough = enough;
  }

  /** Nothing that comes can change what is shown. */
  get isFull(): boolean {
    return (
      this.#picked.length === MAX_LINES &&
      this.#count > MAX_LINES &&
      this.#picked.every(({ score }) => score >= this.#enough)
    );
  }

  take(n: number, line: string, match: { spans: readonly SearchSpan[]; score: number }): void {
    this.#count += 1;
    const worst = this.#picked.at(-1);
    if (this.#picked.length === MAX_LINES && worst && worst.score >= match.score) return;
    this.#picked.push({ n, line, ...match });
    this.#picked.sort((a, b) => b.score - a.score || a.n - b.n);
    this.#picked.length = Math.min(this.#picked.length, MAX_LINES);
  }

  result(): { lines: SearchLine[]; hasMore: boolean } {
    const lines = [...this.#picked].sort((a, b) => a.n - b.n).map(cutLine);
    return { lines, hasMore: this.#count > lines.length };
  }
}

/** The line around its first match. */
function cutLine({ n, line, spans }: Picked): SearchLine {
  const first = spans[0]?.start ?? 0;
  const column = wholeAt(line, line.length <= SHOWN_CHARS || first <= BEFORE_CHARS ? 0 : first - BEFORE_CHARS);
  const end = wholeAt(line, Math.min(line.length, column + SHOWN_CHARS));
  const shown = spans.filter((span) => span.start < end).slice(0, MAX_SPANS);
  return {
    n,
    text: line.slice(column, end),
    column,
    spans: shown.map((span) => ({ start: span.start - column, end: Math.min(span.end, end) - column })),
  };
}

/** `at`, or one before it where it would part a surrogate pair. */
function wholeAt(line: string, at: number): number {
  const code = line.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
