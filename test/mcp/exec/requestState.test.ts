import { expect, test } from 'vitest';
import type { ExecStatus } from '../../../src-main/contract/mcp/exec.ts';
import { checkStep, isOver, isWaiting, statusOfBlock } from '../../../src-main/mcp/exec/requestState.ts';

const ALL: readonly ExecStatus[] = [
  'queued',
  'awaiting_approval',
  'held',
  'submitted',
  'running',
  'completed',
  'interrupted',
  'failed_to_start',
  'cancelled',
  'denied',
  'expired',
  'unknown_end',
];

/** mcp.md, "Exec state machine": every step there is; all others are bugs. */
const STEPS: Readonly<Record<ExecStatus, readonly ExecStatus[]>> = {
  queued: ['awaiting_approval', 'held', 'submitted', 'failed_to_start', 'cancelled', 'denied', 'expired'],
  awaiting_approval: ['queued', 'failed_to_start', 'cancelled', 'denied', 'expired'],
  held: ['awaiting_approval', 'submitted', 'failed_to_start', 'cancelled', 'denied', 'expired'],
  submitted: ['running', 'failed_to_start'],
  running: ['completed', 'interrupted', 'unknown_end'],
  failed_to_start: ['running'],
  completed: [],
  interrupted: [],
  cancelled: [],
  denied: [],
  expired: [],
  unknown_end: [],
};

test.each(ALL.flatMap((from) => ALL.map((to) => [from, to] as const)))(
  '%s may become %s only by the table',
  (from, to) => {
    const step = (): void => checkStep('q-1', from, to);
    if (STEPS[from].includes(to)) expect(step).not.toThrow();
    else expect(step).toThrow(`"q-1" cannot go from ${from} to ${to}`);
  },
);

test('what was sent is never sent again: from submitted on nothing leads back to waiting', () => {
  const reached = new Set<ExecStatus>(['submitted']);
  for (const status of reached) for (const next of STEPS[status]) reached.add(next);
  expect([...reached].filter(isWaiting)).toEqual([]);
});

test('each state waits, is over, or is one of the two between', () => {
  expect(ALL.filter((status) => !isWaiting(status) && !isOver(status))).toEqual(['submitted', 'running']);
});

test.each([
  ['completed', undefined, false, 'completed'],
  ['completed', 'SIGINT', true, 'interrupted'],
  ['completed', 'SIGINT', false, 'completed'],
  ['completed', undefined, true, 'completed'],
  ['interrupted', undefined, false, 'interrupted'],
  ['superseded', undefined, false, 'unknown_end'],
  ['unknown_end', undefined, false, 'unknown_end'],
] as const)('a block that ended %s by %s, stopped by us: %s, makes it %s', (status, signal, isStopped, told) => {
  const block = { status, ...(signal && { signal }) } as Parameters<typeof statusOfBlock>[0];
  expect(statusOfBlock(block, isStopped)).toBe(told);
});
