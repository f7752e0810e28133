import type { AllowRule, DenyRule } from '../contract/mcp/policy.ts';
import { hasFlag } from './programs/hasFlag.ts';
import { deniedSubcommands, kindOf, programName } from './programs/programs.ts';
import { unreviewedOption } from './programs/reviewedPrograms.ts';

type RuleWord = AllowRule['argv'][number];

/**
 * The command begins with the words of the rule, letter for letter. Behind them stands no option of a program that nobody has
 * reviewed, and nothing about it is left to a program that reads a folder.
 */
export function isAllowedBy(rule: AllowRule, argv: readonly string[]): boolean {
  const [program = ''] = argv;
  if (!rule.argv.every((position, at) => alternatives(position).includes(argv[at] ?? ''))) return false;
  if (rule.flags_deny?.some((flag) => hasFlag(program, argv.slice(1), flag))) return false;
  if (unreviewedOption(argv, rule.argv.length) !== null) return false;
  if (kindOf(program) === 'runner') return rule.argv.length >= 2 && argv.length === rule.argv.length;
  return deniedSubcommands(program) === null || rule.argv.length >= 2;
}

/** The command has the rule's words in their order, whatever stands between, and one of its flags. */
export function isDeniedBy(rule: DenyRule, argv: readonly string[]): boolean {
  const [first, ...later] = rule.argv ?? [];
  const [program = '', ...words] = argv;
  if (first === undefined || !alternatives(first).some((name) => isProgram(program, name))) return false;
  if (!hasInOrder(words, later)) return false;
  return rule.flags_any?.some((flag) => hasFlag(program, words, flag)) ?? true;
}

export function alternatives(position: RuleWord): readonly string[] {
  return typeof position === 'string' ? [position] : position;
}

/** A rule's bare name is that program in any folder. */
export function isProgram(word: string, name: string): boolean {
  return word === name || (!name.includes('/') && programName(word) === programName(name));
}

export function hasInOrder(words: readonly string[], positions: readonly RuleWord[]): boolean {
  let at = 0;
  for (const position of positions) {
    const found = words.findIndex((word, index) => index >= at && alternatives(position).includes(word));
    if (found < 0) return false;
    at = found + 1;
  }
  return true;
}
