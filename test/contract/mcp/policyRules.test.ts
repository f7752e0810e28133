import { expect, test } from 'vitest';
import { DEFAULT_POLICY, Policy } from '../../../src-main/contract/mcp/policy.ts';
import { rulesOf, ruleWords } from '../../../src-main/contract/mcp/policyRules.ts';

const SINCE_MS = 1_000_000;
const policy = Policy.parse({
  exec: {
    allow: [{ argv: ['ls'] }, { argv: ['git', ['status', 'diff', 'log']], flags_deny: ['-c', '-C'] }],
    deny: [{ argv: ['rm'], flags_any: ['-rf', '-fr'] }, { raw_regex: 'curl[^|]*sh' }],
  },
});
const words = (rule: string | null, afterMs = 3_600_000): string | null =>
  ruleWords({ rule, ts: SINCE_MS + afterMs }, rulesOf(policy, SINCE_MS));

test.each([
  ['allow[0]', 'ls'],
  ['allow[1]', 'git status|diff|log without -c or -C'],
  ['allow[0],allow[1]', 'ls; git status|diff|log without -c or -C'],
  ['deny[0]', 'rm with -rf or -fr'],
  ['deny[1]', '/curl[^|]*sh/'],
])('%s in words', (rule, expected) => {
  expect(words(rule)).toBe(expected);
});

test.each(['user', 'BUSY', 'allow[2]', 'allow[0],allow[7]', 'toString', '', null])(
  '%s is no rule that is there',
  (rule) => {
    expect(words(rule)).toBeNull();
  },
);

test('of an entry that may be older than the policy nothing is said', () => {
  expect([-1, 0, 600_000, 660_000, 660_001].map((afterMs) => words('allow[0]', afterMs))).toEqual([
    null,
    null,
    null,
    null,
    'ls',
  ]);
  expect(ruleWords({ rule: 'allow[0]', ts: 1 }, null)).toBeNull();
  expect(rulesOf(DEFAULT_POLICY, 0).words).toEqual({});
});
