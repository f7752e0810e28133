import type { Judgement } from '../contract/chat/judgement.ts';
import { deniedSubcommands } from './programs/programs.ts';

/** Programs that only read, whatever their arguments; for all others the first word is not enough. */
const READERS = new Set(
  'ls cat head tail wc grep egrep fgrep rg stat file du df pwd id uname cut nl tac cmp'.split(' '),
);

/**
 * The prefix for "allow everything that begins like this until the terminal closes": `git log` of `git log -5`. Null if no prefix can be offered:
 * more than one command, or an objection other than a missing rule (a wrapper, an option, a redirection, …).
 */
export function approvalPrefix(judgement: Judgement): readonly string[] | null {
  const argv = onlyAsked(judgement);
  if (!argv) return null;
  const [program = '', second] = argv;
  if (READERS.has(program)) return [program];
  if (second === undefined) return null;
  // an option before the subcommand hides what the command does
  return deniedSubcommands(program) !== null && second.startsWith('-') ? null : [program, second];
}

/** Whether a granted prefix allows this command. Deny rules, and objections that no rule can lift, take precedence. */
export function isCoveredBy(prefix: readonly string[], judgement: Judgement): boolean {
  const argv = onlyAsked(judgement);
  return argv !== null && prefix.length > 0 && prefix.every((word, at) => argv[at] === word);
}

/** The words of a single command whose only objection is a missing rule. */
function onlyAsked({ verdict, rule, argvs }: Judgement): readonly string[] | null {
  if (verdict !== 'ask' || rule !== 'default' || argvs?.length !== 1) return null;
  return argvs[0] ?? null;
}
