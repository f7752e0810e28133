import type { DenyRule } from '../contract/mcp/policy.ts';
import { isUnknown, type LooseReading, mayBecome, type WildWord } from './conservativeTokens.ts';
import { alternatives, hasInOrder, isProgram } from './matchRule.ts';
import { hasFlag } from './programs/hasFlag.ts';
import { programName } from './programs/programs.ts';

/**
 * Whether a text that was read loosely could do what the rule denies. The program has to appear as a word, or as part of a word that an expansion
 * completes where a program may be. Any expansion may supply the words after it.
 */
export function mayMatchDeny(rule: DenyRule, reading: LooseReading): boolean {
  const [first, ...later] = rule.argv ?? [];
  if (first === undefined) return false;
  const names = alternatives(first);
  return (
    reading.cuts.some((words) =>
      words.some((word, at) => {
        if (!names.some((name) => isProgram(word, name))) return false;
        return couldFollow(rule, later, words.slice(at + 1), reading.wild);
      }),
    ) || reading.wild.some((word) => couldBeFirst(rule, word, reading))
  );
}

function couldFollow(rule: DenyRule, later: Positions, words: readonly string[], wild: readonly WildWord[]): boolean {
  const isInOrder =
    hasInOrder(words, later) || (later.length > 0 && later.every((position) => isThere(position, words, wild)));
  if (later.length > 0 && !isInOrder) return false;
  const [program = ''] = alternatives(rule.argv?.[0] ?? '');
  return (
    rule.flags_any?.some((flag) => hasFlag(program, words, flag) || wild.some((word) => mayBecome(word, flag))) ?? true
  );
}

type Positions = NonNullable<DenyRule['argv']>;

function isThere(position: Positions[number], words: readonly string[], wild: readonly WildWord[]): boolean {
  return alternatives(position).some((each) => words.includes(each) || wild.some((word) => mayBecome(word, each)));
}

function couldBeFirst(rule: DenyRule, word: WildWord, reading: LooseReading): boolean {
  const [first = '', ...later] = rule.argv ?? [];
  if (!word.isFirst || !alternatives(first).some((name) => mayBecome(word, programName(name)))) return false;
  if (!isUnknown(word)) return reading.cuts.some((words) => couldFollow(rule, later, words, reading.wild));
  // the word may be any program, so only later words can decide
  if (later.length === 0 && rule.flags_any === undefined) return false;
  return reading.cuts.some((words) => couldFollow(rule, later, words, []));
}
