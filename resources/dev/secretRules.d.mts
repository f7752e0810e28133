import type { rules } from '@secretlint/secretlint-rule-preset-recommend';

export interface SecretPattern {
  readonly rule: string;
  readonly source: string;
  readonly flags: string;
}
type Rule = (typeof rules)[number] | undefined;

export function readPatterns(): Promise<SecretPattern[]>;
export function runRule(rule: Rule, content: string): Promise<unknown[]>;
export function formsOf(patterns: readonly SecretPattern[]): { kind: string; form: string }[];
