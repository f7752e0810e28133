import type { AuditLine } from './audit.ts';
import type { AllowRule, DenyRule, Policy, TrustRule } from './policy.ts';

/** The rules of the policy in force in words, keyed by their names in the audit log (`allow[1]`). */
export interface PolicyRules {
  /** Time of the rules' last change, ms since 1970. */
  readonly sinceMs: number;
  readonly words: Readonly<Record<string, string>>;
}

/**
 * A judged request may wait for the terminal (at most 600 s) and for the person's answer (at most 40 s) before its entry is written.
 * So an entry within this time after a change of the policy may refer to an earlier version of a rule.
 */
const JUDGED_BEFORE_MS = 660_000;

export function rulesOf({ exec }: Policy, sinceMs: number): PolicyRules {
  const words = [
    ...exec.allow.map((rule, at) => [`allow[${at}]`, allowWords(rule)] as const),
    ...exec.trust.map((rule, at) => [`trust[${at}]`, trustWords(rule)] as const),
    ...exec.deny.map((rule, at) => [`deny[${at}]`, denyWords(rule)] as const),
  ];
  return { sinceMs, words: Object.fromEntries(words) };
}

/** The rules of an entry in words, joined; null if the policy may have been another one then, or the entry names no rule. */
export function ruleWords({ rule, ts }: Pick<AuditLine, 'rule' | 'ts'>, rules: PolicyRules | null): string | null {
  if (rule === null || rules === null || ts - JUDGED_BEFORE_MS <= rules.sinceMs) return null;
  const words = rule.split(',').map((id) => (Object.hasOwn(rules.words, id) ? rules.words[id] : undefined));
  return words.every((one) => one !== undefined) ? words.join('; ') : null;
}

function allowWords({ argv, flags_deny: flags = [] }: AllowRule): string {
  return `${argvWords(argv)}${flags.length === 0 ? '' : ` without ${flags.join(' or ')}`}`;
}

function trustWords({ argv, cwd, options }: TrustRule): string {
  return `${argv.join(' ')} in ${cwd}${options.length === 0 ? '' : ` with ${options.join(' or ')}`}`;
}

function denyWords({ argv, flags_any: flags = [], raw_regex: pattern }: DenyRule): string {
  if (argv === undefined) return `/${pattern ?? ''}/`;
  return `${argvWords(argv)}${flags.length === 0 ? '' : ` with ${flags.join(' or ')}`}`;
}

function argvWords(argv: AllowRule['argv']): string {
  return argv.map((position) => (typeof position === 'string' ? position : position.join('|'))).join(' ');
}
