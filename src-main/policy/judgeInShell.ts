import type { CommandRequest, Judgement } from '../contract/chat/judgement.ts';
import type { ShellAliasTable } from '../contract/mcp/aliasWords.ts';
import type { Policy } from '../contract/mcp/policy.ts';
import { expandAliases, tellAlias } from './expandAliases.ts';
import { judgeCommand } from './judgeCommand.ts';
import { alternatives } from './matchRule.ts';
import { READ_SHELLS } from './programs/programs.ts';

/** Names that are safe to pass to a shell's environment. */
const CHECKABLE = /^[A-Za-z0-9_.+/-]{1,128}$/;
const MAX_CHECKED = 500;

/** The words whose meaning a shell has to report before a rule's yes counts: every first word that a rule allows. */
export function wordsToCheck({ exec }: Policy): readonly string[] {
  const allowed = exec.allow.flatMap(({ argv }) => alternatives(argv[0] ?? ''));
  const first = [...allowed, ...exec.trust.map(({ argv: [program = ''] }) => program)];
  return [...new Set(first)].filter((word) => CHECKABLE.test(word)).slice(0, MAX_CHECKED);
}

/**
 * Judges a command in a shell with its own words (mcp.md, class 14): the expanded command has to be allowed too, by the same rules, and no function
 * may replace a program. `words` is null if the shell has not reported them; then no rule's yes counts.
 */
export function judgeInShell(policy: Policy, request: CommandRequest, words: ShellAliasTable | null): Judgement {
  const typed = judgeCommand(policy, request);
  if (typed.verdict === 'deny' || !READ_SHELLS.has(request.shell)) return typed;
  if (words === null) return typed.verdict === 'allow' ? ask(typed, 'unknown_words', UNTOLD) : typed;
  const { text, used, why } = expandAliases(request.cmd, words);
  if (text === null) return ask(typed, 'alias', withReason(typed, why));
  const runs = used.length > 0 ? judgeCommand(policy, { ...request, cmd: text }) : typed;
  const says = used.map(tellAlias).join('; ');
  if (runs.verdict === 'deny') return { ...runs, reason: `${says}; ${runs.reason}` };
  const first = firstWords(runs.argvs ?? []);
  const replaced = first.find((word) => words.functions.has(word));
  if (replaced !== undefined)
    return ask(typed, 'function', withReason(typed, `${replaced} is a function in this shell`));
  if (typed.verdict === 'allow') {
    if (runs.verdict === 'ask') return ask(typed, 'alias', says);
    const unknown = first.find((word) => !words.checked.has(word));
    return unknown === undefined ? typed : ask(typed, 'unknown_words', tellUnknown(unknown));
  }
  if (used.length === 0) return typed;
  // no prefix of the typed text may cover another program
  const isSame = first.join() === firstWords(typed.argvs ?? []).join();
  return ask(typed, isSame ? typed.rule : 'alias', withReason(typed, says));
}

const UNTOLD = 'this shell has not told what its aliases and functions are';

function ask(judgement: Judgement, rule: string, reason: string): Judgement {
  return { ...judgement, verdict: 'ask', rule, reason };
}

/** Replaces the reason of an allowed command, and adds to the reason of one that asks anyway. */
function withReason({ verdict, reason }: Judgement, more: string): string {
  return verdict === 'allow' ? more : `${reason}; ${more}`;
}

function tellUnknown(word: string): string {
  return `it is not known whether ${word} is a function in this shell: its next prompt tells`;
}

/**
 * The words that the shell may replace by an alias or function before it looks for a program, each once. The policy does not know these names; only
 * the shell does.
 */
export function firstWords(argvs: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(argvs.flatMap(([first]) => first ?? []))];
}
