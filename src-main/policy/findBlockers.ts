import type { Policy } from '../contract/mcp/policy.ts';
import { isTrustedBy } from './isTrusted.ts';
import { alternatives, isAllowedBy } from './matchRule.ts';
import type { SimpleCommand } from './parseCommand.ts';
import { hasFlag } from './programs/hasFlag.ts';
import { deniedSubcommands, isOneOperand, kindOf, riskyOptions } from './programs/programs.ts';
import { unreviewedOption } from './programs/reviewedPrograms.ts';
import { isPlainSed } from './programs/sedScript.ts';
import type { Redirect } from './readRedirect.ts';

/** An objection to a command. `subcommand` is the part in question, as written. */
export interface Hurdle {
  readonly rule: string;
  readonly reason: string;
  readonly subcommand?: string | null;
}

type JudgedHurdle = Hurdle & { readonly verdict: 'ask' | 'deny' };

/** All objections to parsed commands; without any, `allowedBy` lists the rules, each once. */
export function findBlockers(
  { exec }: Policy,
  { commands, cwd }: { commands: readonly SimpleCommand[]; cwd: string | null },
): { hurdles: readonly JudgedHurdle[]; allowedBy: readonly string[] } {
  const hurdles: JudgedHurdle[] = [];
  const allowedBy = new Set<string>();
  for (const command of commands) {
    const argv = command.words.map(({ text }) => text);
    const trusted = command.words[0]?.isPlain ? exec.trust.findIndex((rule) => isTrustedBy(rule, argv, cwd)) : -1;
    const never = findNever(command, argv);
    const at = exec.allow.findIndex((rule) => isAllowedBy(rule, argv));
    if (trusted >= 0) allowedBy.add(`trust[${trusted}]`);
    else if (never) hurdles.push({ ...never, subcommand: command.source, verdict: exec.default });
    else if (at >= 0) allowedBy.add(`allow[${at}]`);
    else hurdles.push({ ...findMissing(argv, exec.allow), subcommand: command.source, verdict: exec.default });
    hurdles.push(...findRedirects(exec, command));
  }
  if (exec.multiline !== 'allow' && commands.some(({ before }) => before === '\n'))
    hurdles.push({ rule: 'multiline', reason: 'it has more than one line', verdict: exec.multiline });
  return { hurdles, allowedBy: [...allowedBy] };
}

/** An objection that no rule can lift, because a rule on words cannot know what would run. */
export function findNever({ words }: SimpleCommand, argv: readonly string[]): Hurdle | null {
  const [program = '', ...rest] = argv;
  const kind = kindOf(program);
  if (kind === 'builtin') return { rule: 'builtin', reason: `${program} acts on the shell itself` };
  if (kind === 'wrapper') return { rule: 'wrapper', reason: `${program} runs what its arguments or keys say` };
  const risky = riskyOptions(program).find((flag) => hasFlag(program, rest, flag));
  if (risky) return { rule: 'option', reason: `${risky} of ${program} may run a program or write a file` };
  const denied = deniedSubcommands(program);
  const subcommand = rest.find((word) => denied?.has(word));
  if (subcommand !== undefined) return { rule: 'option', reason: `${program} ${subcommand} may run a program` };
  if (isOneOperand(program) && rest.filter((word) => !/^-./.test(word)).length > 1)
    return { rule: 'option', reason: `${program} writes to its second operand` };
  if (!isPlainSed(argv)) return { rule: 'option', reason: 'this script may run a program or write a file' };
  // an alias is not looked for behind quotes, and a person does not read the name at a glance
  return words[0]?.isPlain ? null : { rule: 'quoted_name', reason: `the name ${program} is written with quotes` };
}

function findMissing(argv: readonly string[], rules: Policy['exec']['allow']): Hurdle {
  const [program = ''] = argv;
  if (kindOf(program) === 'runner')
    return {
      rule: 'runner',
      reason: `${program} runs what its folder says: only a rule with this exact command, or a trust rule for the folder, allows it`,
    };
  const option = unreviewedOption(argv);
  if (option !== null && rules.some((rule) => alternatives(rule.argv[0] ?? '').includes(program)))
    return {
      rule: 'option',
      reason: `${option} of ${program} may run or write something: only a rule that names it allows it`,
    };
  return { rule: 'default', reason: 'no rule allows it' };
}

function findRedirects({ redirects, network_redirect }: Policy['exec'], command: SimpleCommand): JudgedHurdle[] {
  const { source: subcommand } = command;
  return command.redirects.flatMap((redirect): JudgedHurdle[] => {
    const { operator, target } = redirect;
    if (isNetwork(target))
      return [{ rule: 'network_redirect', reason: `it connects to ${target}`, subcommand, verdict: network_redirect }];
    if (redirects === 'allow' && isHarmless(redirect)) return [];
    const reason = `it is redirected: ${operator}${target}`;
    return [{ rule: 'redirects', reason, subcommand, verdict: redirects === 'deny' ? 'deny' : 'ask' }];
  });
}

export function isNetwork(text: string): boolean {
  return /\/dev\/+(?:tcp|udp)\b/i.test(text);
}

/** /dev/null, standard output and error into each other, or a path below the folder without dot files and "..". */
function isHarmless({ operator, fd, target }: Redirect): boolean {
  if (operator === '>&') return (fd === null || fd === 1 || fd === 2) && /^[12]$/.test(target);
  if (operator === '<&' || (fd !== null && fd > 2)) return false;
  return target === '/dev/null' || /^\w[\w.+-]*(?:\/\w[\w.+-]*)*$/.test(target);
}
