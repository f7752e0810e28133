import { type Context, createContext, Script } from 'node:vm';
import { MAX_PATTERN_MS } from '../contract/screen.ts';
import type { Found, SearchResult } from './searchLines.ts';

/** More matches in one text are not looked at. */
const MAX_FOUND = 10_000;
/** As often a search begins anew that had its time but no core to work on: half a second at the very most. */
const MAX_TRIES = 10;

export interface Pattern {
  readonly pattern: string;
  readonly flags: string;
}

/** Why `pattern` is none, or null. */
export function patternFault({ pattern, flags }: Pattern): string | null {
  try {
    new RegExp(pattern, flags);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * All matches of a pattern that somebody wrote in a text of the screen, first to last. A pattern that could run for ever gets 50 ms of
 * a context of its own and ends as `too-slow`; one without repetitions and choices cannot, and needs no context.
 */
export function searchPattern(pattern: Pattern, text: string): SearchResult {
  const fault = patternFault(pattern);
  if (fault !== null) return { type: 'invalid', reason: fault };
  if (!isLinear(pattern.pattern)) return searchApart(pattern, text);
  return found(Array.from(text.matchAll(globally(pattern)), (match): RawMatch => [match.index, ...match]));
}

/** Nothing in it can be tried in more than one way: no repetition, group, choice or back-reference. */
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
/** One for all searches: it holds nothing but what the search is given. */
let context: Context | undefined;

function searchApart(pattern: Pattern, text: string): SearchResult {
  context ??= createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  const { source, flags } = globally(pattern);
  Object.assign(context, { text, pattern: source, flags });
  const beganUs = cpuUs();
  for (let tries = 1; ; tries += 1) {
    try {
      return found(SEARCH.runInContext(context, { timeout: MAX_PATTERN_MS }) as RawMatch[]);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    }
    // On a busy machine the time may have gone by without any work done
    const hasWorked = cpuUs() - beganUs >= (MAX_PATTERN_MS * 1000) / 2;
    if (hasWorked || tries >= MAX_TRIES)
      return { type: 'too-slow', reason: `The pattern took longer than ${MAX_PATTERN_MS} ms` };
  }
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

/** Of this thread; where it cannot be told (Node before 23.9), time counts as work. */
function cpuUs(): number {
  const usage = (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage?.();
  return usage ? usage.user + usage.system : performance.now() * 1000;
}
