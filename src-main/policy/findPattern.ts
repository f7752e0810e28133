import { type Context, createContext, Script } from 'node:vm';
import { MAX_PATTERN_MS } from '../contract/screen/patternLimits.ts';
import { runWithin } from '../util/runWithin.ts';

/** On a timeout, `at` remains at the slow pattern. */
const FIND = new Script(`
  for (at = 0; at < patterns.length; at++) {
    const pattern = new RegExp(patterns[at], 'u');
    if (texts.some((text) => pattern.test(text))) break;
  }
  at`);
/** One context for all patterns; it contains only what it is given. */
let context: Context | undefined;

/**
 * The index of the first pattern that matches one of the texts, or null. All patterns share 50 ms; after a timeout the result of the current pattern
 * is unknown. The person wrote the patterns, but not the texts.
 */
export function findPattern(
  patterns: readonly string[],
  texts: readonly string[],
): { at: number; isTooSlow: boolean } | null {
  if (patterns.length === 0) return null;
  context ??= createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  Object.assign(context, { patterns, texts, at: 0 });
  const run = runWithin<number>(FIND, context, MAX_PATTERN_MS);
  if (!run.isDone) return { at: Number(context.at), isTooSlow: true };
  return run.value < patterns.length ? { at: run.value, isTooSlow: false } : null;
}
