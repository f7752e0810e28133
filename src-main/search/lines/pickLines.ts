import type { SearchLine, SearchSpan } from '../../contract/search.ts';

/** Most lines of a hit. */
const MAX_LINES = 3;
/** Most characters of a line, and of its part before the first match. */
const SHOWN_CHARS = 240;
const BEFORE_CHARS = 60;
/** Most marks in one line. */
const MAX_SPANS = 40;

/** The matches of a line; null without any. `score`: number of matched parts of the query. */
export type MatchLine = (line: string) => { spans: readonly SearchSpan[]; score: number } | null;

interface Picked {
  n: number;
  line: string;
  spans: readonly SearchSpan[];
  score: number;
}

/** Collects the best lines of a text for a match: those with the highest score, and of equal ones the first. */
export class SnippetSelector {
  readonly #enough: number;
  #picked: Picked[] = [];
  #count = 0;

  /** `enough`: the highest possible score of a line. */
  constructor(enough: number) {
    this.#enough = enough;
  }

  /** Later lines cannot change the selection. */
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

/** `at`, or one less if it would split a surrogate pair. */
function wholeAt(line: string, at: number): number {
  const code = line.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
