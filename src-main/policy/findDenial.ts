import type { Policy } from '../contract/mcp/policy.ts';
import { readLoosely } from './conservativeTokens.ts';
import { findNever, type Hurdle } from './findBlockers.ts';
import { findPattern } from './findPattern.ts';
import { isDeniedBy } from './matchRule.ts';
import { mayMatchDeny } from './mayMatchDeny.ts';
import type { SimpleCommand } from './parseCommand.ts';

/** The deny rule that matches parsed commands by their words, or by the text with and without its quotes. */
export function findDenial(policy: Policy, cmd: string, commands: readonly SimpleCommand[]): Hurdle | null {
  const raw = findRawDenial(policy, [cmd, withoutQuotes(commands)]);
  if (raw) return raw;
  for (const command of commands) {
    const argv = command.words.map(({ text }) => text);
    // a program run by another one is somewhere in that one's arguments
    const reading = findNever(command, argv) ? readLoosely(argv.join(' ')) : null;
    const at = policy.exec.deny.findIndex(
      (rule) => isDeniedBy(rule, argv) || (reading !== null && mayMatchDeny(rule, reading)),
    );
    if (at >= 0) return { ...denial(policy, at), subcommand: command.source };
  }
  return null;
}

/** The deny rule that may match a text that was not understood. */
export function findPossibleDenial(policy: Policy, cmd: string): Hurdle | null {
  const raw = findRawDenial(policy, [cmd]);
  if (raw || policy.exec.deny.length === 0) return raw;
  const reading = readLoosely(cmd);
  const at = policy.exec.deny.findIndex((rule) => mayMatchDeny(rule, reading));
  if (at < 0) return null;
  const { rule, reason } = denial(policy, at);
  return { rule, reason: `not understood, and could be what is denied: ${reason}` };
}

function findRawDenial({ exec }: Policy, texts: readonly string[]): Hurdle | null {
  const raw = exec.deny.flatMap(({ raw_regex: pattern }, at) => (pattern === undefined ? [] : [{ pattern, at }]));
  const found = findPattern(
    raw.map(({ pattern }) => pattern),
    [...new Set(texts)],
  );
  const rule = found && raw[found.at];
  if (!rule) return null;
  const reason = found.isTooSlow
    ? `${rule.pattern} took too long to try, so nobody knows`
    : `it matches ${rule.pattern}`;
  return { rule: `deny[${rule.at}]`, reason };
}

function withoutQuotes(commands: readonly SimpleCommand[]): string {
  return commands
    .map(({ before, words }) => `${before === null ? '' : ` ${before} `}${words.map(({ text }) => text).join(' ')}`)
    .join('');
}

function denial({ exec }: Policy, at: number): Hurdle {
  const { argv = [], flags_any: flags } = exec.deny[at] ?? {};
  const shown = argv.map((position) => (typeof position === 'string' ? position : position.join('|'))).join(' ');
  return { rule: `deny[${at}]`, reason: `${shown}${flags ? ` with ${flags.join(' or ')}` : ''} is denied` };
}
