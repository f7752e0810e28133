import { type Context, createContext, Script } from 'node:vm';
import { MAX_PATTERN_MS } from '../contract/screen/screen.ts';
import { runWithin } from '../util/runWithin.ts';

/** `at` is left standing where the time ran out. */
const FIND = new Script(`
  for (at = 0; at < patterns.length; at++) {
    const pattern = new RegExp(patterns[at], 'u');
    if (texts.some((text) => pattern.test(text))) break;
  }
  at`);
/** One for all patterns: it holds nothing but what it is given. */
let context: Context | undefined;

/**
 * The first of the patterns that one of the texts matches; null when there is none. All have 50 ms together; when they are over, nobody
 * knows what the pattern then tried would have said. Patterns are the person's own; what they are tried on is not.
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
