import { createContext, Script } from 'node:vm';
import { runWithin } from '../util/runWithin.ts';

/** One catastrophic pattern may hold the event loop this long, once (screen-and-attach, "Waits"). */
const BUDGET_MS = 50;
/** Lines matched in one call of the budget: a harmless pattern takes a millisecond or two for them. */
const LINES_PER_CALL = 2000;
/** Where a batch ran out of its time. */
const LINES_PER_PIECE = 250;
/** A longer line is searched in its head only, so that one 100 MB line does not make a search of seconds. */
const MAX_LINE_CHARS = 64 * 1024;

/** Told of an expression that ran out of its time. */
export const SLOW_PATTERN = 'this pattern takes too long; make it simpler';

/** Matches of one line: more are of no use to anybody. */
const MAX_SPANS = 100;

export interface Span {
  start: number;
  end: number;
}

/** Matches of a pattern in lines. `null` when the pattern ran out of its time. */
export type LineMatcher = (lines: readonly string[]) => (Span[] | null)[] | null;

export type CompiledPattern = { ok: true; match: LineMatcher } | { ok: false; error: string };

/**
 * A matcher for text as typed (case ignored unless it has capitals) or a regular expression. The expression runs in a
 * context that is interrupted: backtracking cannot be bounded otherwise, and the pattern may come from anyone. `asked` are flags of RegExp
 * in the place of those.
 */
export function compilePattern(query: string, isRegex: boolean, asked?: string): CompiledPattern {
  const source = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const flags = asked === undefined ? (/[A-Z]/.test(query) ? 'gu' : 'giu') : `g${asked.replaceAll('g', '')}`;
  try {
    new RegExp(source, flags);
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
  if (!isRegex) return { ok: true, match: (lines) => matchLiteral(new RegExp(source, flags), lines) };
  const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  new Script(`globalThis.pattern = new RegExp(${JSON.stringify(source)}, ${JSON.stringify(flags)})`).runInContext(
    context,
  );
  const script = new Script(MATCH);
  return { ok: true, match: (lines) => matchInBatches({ script, context }, lines) };
}

/** Text as typed cannot backtrack, so it needs no watch. */
function matchLiteral(pattern: RegExp, lines: readonly string[]): (Span[] | null)[] {
  return lines.map((line) => {
    const spans: Span[] = [];
    for (const match of line.slice(0, MAX_LINE_CHARS).matchAll(pattern)) {
      spans.push({ start: match.index, end: match.index + match[0].length });
      if (spans.length === MAX_SPANS) break;
    }
    return spans.length === 0 ? null : spans;
  });
}

/** Runs inside the context. Only lines with a match come back, under their numbers. */
const MATCH = `{
  const found = [];
  let at = 0;
  for (const line of lines.split('\\n')) {
    const spans = [];
    for (const match of line.matchAll(pattern)) {
      spans.push([match.index, match.index + match[0].length]);
      if (spans.length === ${MAX_SPANS}) break;
    }
    if (spans.length > 0) found.push([at, spans]);
    at += 1;
  }
  JSON.stringify(found);
}`;

interface Compiled {
  script: Script;
  context: ReturnType<typeof createContext>;
}

function matchInBatches(compiled: Compiled, lines: readonly string[]): (Span[] | null)[] | null {
  const found: (Span[] | null)[] = new Array(lines.length).fill(null);
  for (let at = 0; at < lines.length; at += LINES_PER_CALL) {
    const batch = lines.slice(at, at + LINES_PER_CALL);
    const matches = matchBatch(compiled, batch) ?? matchInPieces(compiled, batch);
    if (matches === null) return null;
    for (const [n, spans] of matches) found[at + n] = spans.map(([start, end]) => ({ start, end }));
  }
  return found;
}

type Matches = [n: number, spans: [number, number][]][];

/** Null when its time ran out. */
function matchBatch({ script, context }: Compiled, lines: readonly string[]): Matches | null {
  // Only strings cross the border: an object of ours would give the pattern's context a way out.
  context.lines = lines.map((line) => line.slice(0, MAX_LINE_CHARS)).join('\n');
  const run = runWithin<string>(script, context, BUDGET_MS);
  return run.isDone ? (JSON.parse(run.value) as Matches) : null;
}

/** Very long lines may need more than the time of one call. A pattern that is at fault is so again. */
function matchInPieces(compiled: Compiled, lines: readonly string[]): Matches | null {
  const found: Matches = [];
  for (let at = 0; at < lines.length; at += LINES_PER_PIECE) {
    const piece = lines.slice(at, at + LINES_PER_PIECE);
    const matches = matchBatch(compiled, piece);
    if (matches === null) return null;
    for (const [n, spans] of matches) found.push([at + n, spans]);
  }
  return found;
}
