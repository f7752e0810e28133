import { expect, test } from 'vitest';
import { FaultCode } from '../../../src-main/contract/mcp/mcp.ts';
import { breakWords, chainWords, decisionWords } from '../../../src-renderer/audit/auditLabels.ts';

test.each([
  ['allowed', 'allow[0]', 'Rule allow[0]', 'rule'],
  ['allowed', 'input', 'Input allowed', 'rule'],
  ['allowed', 'observe', 'Read allowed', 'rule'],
  ['refused', 'PTY_NOT_FOUND', 'Terminal not found', 'gone'],
  ['refused', 'failed', 'Internal error', 'gone'],
  ['approved', 'once', 'You, once', 'you'],
  ['approved', 'prefix', 'You, this prefix here', 'you'],
  ['approved', 'input', 'You', 'you'],
  ['denied', 'user', 'Denied by you', 'denied'],
  ['denied', 'DENIED_BY_USER', 'Denied by you', 'denied'],
  ['denied', 'deny[0]', 'Denied by deny[0]', 'denied'],
  ['denied', 'DENIED_BY_POLICY', 'Denied by your policy', 'denied'],
  ['denied', 'input', 'Denied by your policy', 'denied'],
  ['expired', 'APPROVAL_EXPIRED', 'Not answered in time', 'expired'],
  ['expired', 'BUSY', 'Not idle in time', 'expired'],
  ['refused', 'SELF_PTY', 'Its own terminal', 'gone'],
  ['cancelled', null, 'Client stopped waiting', 'gone'],
  ['cancelled', 'DENIED_BY_USER', 'Cancelled by you', 'gone'],
  ['allowed', 'host:box', 'Sent to box', 'rule'],
  ['cancelled', 'OUTCOME_UNKNOWN', 'Outcome unknown', 'gone'],
] as const)('%s by %s is “%s”', (decision, rule, text, tone) => {
  expect(decisionWords({ decision, rule })).toEqual({ text, tone });
});

test('no refusal is shown as its code', () => {
  for (const rule of FaultCode.options)
    expect(decisionWords({ decision: 'refused', rule }).text).not.toMatch(/[A-Z_]{3}/);
});

test('a chain is reported as intact, or with the number of its integrity problems', () => {
  const verdict = { ok: true, entries: 1214, files: 1, first: 1, last: 1214, breaks: [], breakCount: 0, trustedTo: 0 };
  expect(chainWords(verdict)).toBe('Log intact (1,214 entries)');
  expect(chainWords({ ...verdict, ok: false, breakCount: 2 })).toBe('2 integrity problems');
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
    'Entries 3 to 5 are missing before it. These entries were removed. Their content is unknown.',
  );
});
