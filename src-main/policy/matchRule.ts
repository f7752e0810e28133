import type { AllowRule, DenyRule } from '../contract/mcp/policy.ts';
import { hasFlag } from './programs/hasFlag.ts';
import { deniedSubcommands, kindOf, programName } from './programs/programs.ts';
import { unreviewedOption } from './programs/reviewedPrograms.ts';

type RuleWord = AllowRule['argv'][number];

/**
 * Whether the command begins exactly with the rule's words. After them, an unreviewed program may have no options, and a program that runs files of
 * its folder no further words.
 */
export function isAllowedBy(rule: AllowRule, argv: readonly string[]): boolean {
  const [program = ''] = argv;
  if (!rule.argv.every((position, at) => alternatives(position).includes(argv[at] ?? ''))) return false;
  if (rule.flags_deny?.some((flag) => hasFlag(program, argv.slice(1), flag))) return false;
  if (unreviewedOption(argv, rule.argv.length) !== null) return false;
  if (kindOf(program) === 'runner') return rule.argv.length >= 2 && argv.length === rule.argv.length;
  return deniedSubcommands(program) === null || rule.argv.length >= 2;
}

/** Whether the command contains the rule's words in order, with anything between them, and one of its flags. */
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

/** Whether a word runs the program: a bare name in a rule matches it in any folder. */
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
