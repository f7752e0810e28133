import { expect, test } from 'vitest';
import { FaultCode } from '../../../src-main/contract/mcp/mcp.ts';
import { breakWords, chainWords, decisionWords } from '../../../src-renderer/audit/auditLabels.ts';

test.each([
  ['allowed', 'allow[0]', 'rule allow[0]', 'rule'],
  ['allowed', 'input', 'typing is allowed', 'rule'],
  ['allowed', 'observe', 'looking is allowed', 'rule'],
  ['refused', 'PTY_NOT_FOUND', 'none that it may see', 'gone'],
  ['refused', 'failed', 'an error in Hansard', 'gone'],
  ['approved', 'once', 'you, once', 'you'],
  ['approved', 'prefix', 'you, whatever begins so', 'you'],
  ['approved', 'input', 'you', 'you'],
  ['denied', 'user', 'denied by you', 'denied'],
  ['denied', 'DENIED_BY_USER', 'denied by you', 'denied'],
  ['denied', 'deny[0]', 'denied by deny[0]', 'denied'],
  ['denied', 'DENIED_BY_POLICY', 'denied by your policy', 'denied'],
  ['denied', 'input', 'denied by your policy', 'denied'],
  ['expired', 'APPROVAL_EXPIRED', 'not answered in time', 'expired'],
  ['expired', 'BUSY', 'not idle in time', 'expired'],
  ['refused', 'SELF_PTY', 'its own terminal', 'gone'],
  ['cancelled', null, 'it did not wait', 'gone'],
  ['cancelled', 'DENIED_BY_USER', 'you took it out', 'gone'],
] as const)('%s by %s is “%s”', (decision, rule, text, tone) => {
  expect(decisionWords({ decision, rule })).toEqual({ text, tone });
});

test('no refusal is told by its code', () => {
  for (const rule of FaultCode.options)
    expect(decisionWords({ decision: 'refused', rule }).text).not.toMatch(/[A-Z_]{3}/);
});

test('a chain says that it is whole, or in how many places it is not', () => {
  const verdict = { ok: true, entries: 1214, files: 1, first: 1, last: 1214, breaks: [], breakCount: 0, trustedTo: 0 };
  expect(chainWords(verdict)).toBe('Whole: 1,214 entries, each as it was written');
  expect(chainWords({ ...verdict, ok: false, breakCount: 2 })).toBe('Not as it was written, in 2 places');
});

test('a break says what is wrong and what that means', () => {
  const one = {
    kind: 'missing',
    file: 'audit.jsonl',
    line: 3,
    n: 3,
    reason: 'entries 3 to 5 are missing before it',
  } as const;
  expect(breakWords(one)).toBe(
    'Entries 3 to 5 are missing before it. These entries were taken out. What they said is not known.',
  );
});
