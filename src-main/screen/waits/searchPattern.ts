import { type Context, createContext, Script } from 'node:vm';
import { MAX_PATTERN_MS } from '../../contract/screen/patternLimits.ts';
import { runWithin } from '../../util/runWithin.ts';
import type { Found, SearchResult } from './searchLines.ts';

/** Matches to examine in one text at most. */
const MAX_FOUND = 10_000;

export interface Pattern {
  readonly pattern: string;
  readonly flags: string;
}

/** The reason why `pattern` is invalid, or null. */
export function patternFault({ pattern, flags }: Pattern): string | null {
  try {
    new RegExp(pattern, flags);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Finds all matches of a pattern in a text of the screen, first to last. A pattern that could run forever gets 50 ms in
 * a separate context and ends as `too-slow`; a pattern without repetitions and choices cannot, and needs no context.
 */
export function searchPattern(pattern: Pattern, text: string): SearchResult {
  const fault = patternFault(pattern);
  if (fault !== null) return { type: 'invalid', reason: fault };
  if (!isLinear(pattern.pattern)) return searchApart(pattern, text);
  return found(Array.from(text.matchAll(globally(pattern)), (match): RawMatch => [match.index, ...match]));
}

/** True if the pattern can be tried in only one way: without repetition, group, choice or back-reference. */
export function isLinear(pattern: string): boolean {
  return !/[*+?{}()|\\]/.test(pattern.replaceAll(/\\[^1-9k]/g, ''));
}

type RawMatch = readonly [number, ...(string | undefined)[]];

const SEARCH = new Script(`(() => {
  const found = [];
  for (const match of text.matchAll(new RegExp(pattern, flags))) {
    found.push([match.index, ...match]);
    if (found.length >= ${MAX_FOUND}) break;
  }
  return found;
})()`);
/** Shared by all searches: it contains only their arguments. */
let context: Context | undefined;

function searchApart(pattern: Pattern, text: string): SearchResult {
  context ??= createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  const { source, flags } = globally(pattern);
  Object.assign(context, { text, pattern: source, flags });
  const run = runWithin<RawMatch[]>(SEARCH, context, MAX_PATTERN_MS);
  return run.isDone
    ? found(run.value)
    : { type: 'too-slow', reason: `The pattern took longer than ${MAX_PATTERN_MS} ms` };
}

function globally({ pattern, flags }: Pattern): RegExp {
  return new RegExp(pattern, `${flags}g`);
}

function found(matches: readonly RawMatch[]): SearchResult {
  const all = matches.map(
    ([index, text = '', ...groups]): Found => ({ index, text, groups: groups.map((group) => group ?? null) }),
  );
  return { type: 'found', found: all };
}
