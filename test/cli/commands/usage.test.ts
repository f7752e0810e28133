import { expect, test } from 'vitest';
import { usageColumns } from '../../../src-main/cli/past/usage.ts';
import type { UsageGroup } from '../../../src-main/contract/past.ts';

const GROUP: UsageGroup = {
  ...{ name: 'all', label: 'all', conversations: 9, known: { tokens: 9, cost: 2, time: 9 } },
  ...{ input: 10, output: 5, cacheRead: null, cacheWrite: null, cost: 0.5, busyMs: 120_000 },
};

const cells = (group: UsageGroup) =>
  Object.fromEntries(usageColumns('day').map(({ title, text }) => [title, text(group)]));

test('a cost or a time that not every conversation says names how many say it', () => {
  expect(cells(GROUP)).toMatchObject({ COST: '$0.50 (2/9)', TIME: '2 m', KNOWN: '9/9' });
  expect(cells({ ...GROUP, known: { tokens: 9, cost: 9, time: 3 } })).toMatchObject({
    COST: '$0.50',
    TIME: '2 m (3/9)',
  });
});

test('what no conversation says is no number', () => {
  expect(cells({ ...GROUP, cost: null, busyMs: null })).toMatchObject({ COST: '-', TIME: '-', 'CACHE READ': '-' });
});
