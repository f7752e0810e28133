import type { Judgement } from '../contract/chat/judgement.ts';
import { deniedSubcommands } from './programs/programs.ts';

/** Programs that only read, whatever their words; for all others the first word says too little. */
const READERS = new Set(
  'ls cat head tail wc grep egrep fgrep rg stat file du df pwd id uname cut nl tac cmp'.split(' '),
);

/**
 * The words that "whatever begins so, here until closed" would stand for: `git log` of `git log -5`. Null where that is not offered: more
 * than one command, or something other than a missing rule stands against it (a wrapper, an option, a redirection, …).
 */
export function approvalPrefix(judgement: Judgement): readonly string[] | null {
  const argv = onlyAsked(judgement);
  if (!argv) return null;
  const [program = '', second] = argv;
  if (READERS.has(program)) return [program];
  if (second === undefined) return null;
  // an option before the subcommand says nothing of what is done
  return deniedSubcommands(program) !== null && second.startsWith('-') ? null : [program, second];
}

/** Whether a prefix that the person granted lets this command through. Deny rules, and all that no rule can allow, stand above it. */
export function isCoveredBy(prefix: readonly string[], judgement: Judgement): boolean {
  const argv = onlyAsked(judgement);
  return argv !== null && prefix.length > 0 && prefix.every((word, at) => argv[at] === word);
}

/** Of a single command that is only asked for because no rule names it. */
function onlyAsked({ verdict, rule, argvs }: Judgement): readonly string[] | null {
  if (verdict !== 'ask' || rule !== 'default' || argvs?.length !== 1) return null;
  return argvs[0] ?? null;
}
