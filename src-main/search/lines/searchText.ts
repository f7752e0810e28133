import { type Context, createContext, Script } from 'node:vm';
import { runWithin } from '../../util/runWithin.ts';

/** Time limit for one batch of lines; if it is too short, the batch gets smaller. */
const BUDGET_MS = 50;
/** Time limit for a single line: a pattern that needs more is at fault. */
const LINE_BUDGET_MS = 250;
/** Most lines in one batch: a harmless pattern takes a millisecond or two for them. */
const LINES_PER_LOOK = 2000;

/** Message for an expression that ran out of time. */
export const SLOW_PATTERN = 'this pattern takes too long; make it simpler';

/** Most matches of one line. */
const MAX_SPANS = 100;

export interface Span {
  start: number;
  end: number;
}

/** Matches of a pattern in lines. */
export interface LinePattern {
  /**
   * Matches of `lines` from `from` on, for as many lines as a moment allows; `spans[0]` belongs to line `from`. `count` is 0 if that line alone takes
   * the pattern too long.
   */
  next(lines: readonly string[], from: number): { count: number; spans: readonly (readonly Span[] | null)[] };
}

export interface Matched {
  /** Matches of each line; null for lines from `slowLine` on. */
  readonly spans: readonly (readonly Span[] | null)[];
  /** The first line that alone takes the pattern too long. */
  readonly slowLine: number | null;
}

export type CompiledPattern =
  | { ok: true; pattern: LinePattern; source: string; flags: string }
  | { ok: false; error: string };

/** Matches all lines at once. */
export function matchLines(pattern: LinePattern, lines: readonly string[]): Matched {
  const spans: (readonly Span[] | null)[] = new Array(lines.length).fill(null);
  for (let at = 0; at < lines.length; ) {
    const found = pattern.next(lines, at);
    if (found.count === 0) return { spans, slowLine: at };
    for (const [more, own] of found.spans.entries()) spans[at + more] = own;
    at += found.count;
  }
  return { spans, slowLine: null };
}

/**
 * A pattern for text as typed (case ignored unless it has capitals) or a regular expression. The expression runs in a context that can be
 * interrupted, because backtracking cannot be bounded otherwise and the pattern may come from anyone. `asked`: flags of RegExp that replace the
 * default ones.
 */
export function compilePattern(query: string, isRegex: boolean, asked?: string): CompiledPattern {
  const source = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const flags = asked === undefined ? (/[A-Z]/.test(query) ? 'gu' : 'giu') : `g${asked.replaceAll('g', '')}`;
  try {
    new RegExp(source, flags);
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
  if (!isRegex) return { ok: true, pattern: literalPattern(new RegExp(source, flags)), source, flags };
  const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  new Script(`globalThis.pattern = new RegExp(${JSON.stringify(source)}, ${JSON.stringify(flags)})`).runInContext(
    context,
  );
  return { ok: true, pattern: new WatchedPattern(context), source, flags };
}

/** Text as typed cannot backtrack, so it needs no time limit. */
function literalPattern(pattern: RegExp): LinePattern {
  return {
    next: (lines, from) => {
      const spans = lines.slice(from, from + LINES_PER_LOOK).map((line) => spansIn(line, pattern));
      return { count: spans.length, spans };
    },
  };
}

function spansIn(line: string, pattern: RegExp): Span[] | null {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  if (!pattern.test(line)) return null;
  pattern.lastIndex = 0;
  for (const match of line.matchAll(pattern)) {
    spans.push({ start: match.index, end: match.index + match[0].length });
    if (spans.length === MAX_SPANS) break;
  }
  return spans.length === 0 ? null : spans;
}

/** Runs inside the context. Returns only lines with a match, by number, because `matchAll` copies the expression each time, which is slow. */
const MATCH = new Script(`{
  const found = [];
  let at = 0;
  for (const line of lines.split('\\n')) {
    const spans = [];
    pattern.lastIndex = 0;
    if (pattern.test(line)) {
      pattern.lastIndex = 0;
      for (const match of line.matchAll(pattern)) {
        spans.push([match.index, match.index + match[0].length]);
        if (spans.length === ${MAX_SPANS}) break;
      }
      found.push([at, spans]);
    }
    at += 1;
  }
  JSON.stringify(found);
}`);

type Matches = [n: number, spans: [number, number][]][];

/** A pattern in a context that can be interrupted. Takes as many lines at a time as its time limit allows. */
class WatchedPattern implements LinePattern {
  readonly #context: Context;
  #lines = LINES_PER_LOOK;

  constructor(context: Context) {
    this.#context = context;
  }

  next(lines: readonly string[], from: number): { count: number; spans: readonly (readonly Span[] | null)[] } {
    for (;;) {
      const some = lines.slice(from, from + this.#lines);
      const found = this.#match(some, some.length === 1 ? LINE_BUDGET_MS : BUDGET_MS);
      if (found) {
        this.#lines = Math.min(LINES_PER_LOOK, this.#lines * 2);
        const spans: (Span[] | null)[] = new Array(some.length).fill(null);
        for (const [n, own] of found) spans[n] = own.map(([start, end]) => ({ start, end }));
        return { count: some.length, spans };
      }
      if (some.length === 1) return { count: 0, spans: [] };
      this.#lines = Math.max(1, some.length >> 2);
    }
  }

  /** Null if its time ran out. */
  #match(lines: readonly string[], budgetMs: number): Matches | null {
    // Only strings cross the border: an object of ours would give the pattern's context access to our realm.
    this.#context.lines = lines.join('\n');
    const run = runWithin<string>(MATCH, this.#context, budgetMs);
    return run.isDone ? (JSON.parse(run.value) as Matches) : null;
  }
}
