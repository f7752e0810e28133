import type { CommandRequest, Judgement } from '../contract/chat/judgement.ts';
import type { Policy } from '../contract/mcp/policy.ts';
import { CONSTRUCTS, Unread } from './constructs.ts';
import { findBlockers, type Hurdle } from './findBlockers.ts';
import { findDenial } from './findDenial.ts';
import { judgeUnparsed } from './judgeUnparsed.ts';
import { parseCommand, type SimpleCommand } from './parseCommand.ts';
import { READ_SHELLS } from './programs/programs.ts';

/** The limit of pty_exec. */
export const MAX_COMMAND_CHARS = 8192;
/** More simple commands than a person would read before approving. */
export const MAX_SIMPLE_COMMANDS = 50;

/**
 * Judges a command by the policy: deny before ask before allow. Allows only commands that were parsed to the last character, as bash and zsh would,
 * and of which rules allow every simple command. Denies unparsed text if a deny rule could match it. Pure: `judgeInShell` adds the person's aliases
 * and functions.
 */
export function judgeCommand(policy: Policy, request: CommandRequest): Judgement {
  const { cmd, shell } = request;
  if (cmd.length > MAX_COMMAND_CHARS) return judgeTooLong(policy);
  if (!READ_SHELLS.has(shell))
    return judgeUnparsed(policy, cmd, { rule: 'shell', reason: `the grammar of ${shell || 'this shell'} is not read` });
  const parsed = parseCommand(cmd);
  if (parsed instanceof Unread) return judgeUnparsed(policy, cmd, toHurdle(cmd, parsed));
  return judgeRead(policy, request, parsed.commands);
}

function judgeTooLong(policy: Policy): Judgement {
  const reason = `it is longer than ${MAX_COMMAND_CHARS} characters`;
  const isDenied = policy.exec.deny.length > 0 || policy.exec.default === 'deny';
  return { verdict: isDenied ? 'deny' : 'ask', rule: 'size', subcommand: null, reason, argvs: null };
}

/** Constructs whose verdict the policy itself names; all others are the parser's. */
const RULE_OF: Readonly<Record<string, string>> = {
  command_substitution: 'substitution',
  process_substitution: 'substitution',
  parameter_expansion: 'substitution',
  heredoc: 'redirects',
  redirect: 'redirects',
  quoted_newline: 'multiline',
};

function toHurdle(cmd: string, { construct, at }: Unread): Hurdle {
  return {
    rule: RULE_OF[construct] ?? 'parse',
    reason: `not understood at character ${at + 1}: ${CONSTRUCTS[construct]}`,
    subcommand: cmd.slice(cmd.slice(0, at).search(/[^;&|\n]*$/)).trim() || null,
  };
}

function judgeRead(policy: Policy, { cmd, cwd }: CommandRequest, commands: readonly SimpleCommand[]): Judgement {
  const argvs = commands.map(({ words }) => words.map(({ text }) => text));
  const tell = (verdict: Judgement['verdict'], { rule, reason, subcommand = null }: Hurdle): Judgement => ({
    verdict,
    rule,
    subcommand,
    reason,
    argvs,
  });
  const denial = findDenial(policy, cmd, commands);
  if (denial) return tell('deny', denial);
  const { hurdles, allowedBy } = findBlockers(policy, { commands, cwd });
  const [worst] = hurdles.filter(({ verdict }) => verdict === 'deny');
  if (worst) return tell('deny', worst);
  if (commands.length > MAX_SIMPLE_COMMANDS)
    return tell('ask', { rule: 'size', reason: `it has more than ${MAX_SIMPLE_COMMANDS} commands` });
  // commands whose only objection is a missing rule come last: a prefix may be offered for them
  const first = hurdles.find(({ rule }) => rule !== 'default') ?? hurdles[0];
  if (first) return tell('ask', first);
  return tell('allow', { rule: allowedBy.join(','), reason: 'a rule allows every command in it' });
}
