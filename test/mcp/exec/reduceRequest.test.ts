import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block } from '../../../src-main/contract/block.ts';
import type { ExecStatus } from '../../../src-main/contract/mcp/exec.ts';
import {
  isOver,
  isWaiting,
  NEW_REQUEST,
  type RequestEvent,
  type RequestState,
  reduceRequest,
  statusOfBlock,
} from '../../../src-main/mcp/exec/reduceRequest.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

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

/** All allowed transitions (mcp.md, "Exec state machine"). */
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

const FAULT = { code: 'BUSY', message: 'why', suggestion: 'what to do' } as const;
const RULE = { rule: 'a rule', subcommand: null };
const DECISION = { by: 'policy', choice: null, ...RULE } as const;
const block = (status: Block['status']) => ({ id: 'q-1', status }) as Block;

/** Each event and the state to which it leads; null if it does not change the state. */
const EVENTS: readonly (readonly [RequestEvent, ExecStatus | null])[] = [
  [{ type: 'asked', ...RULE }, 'awaiting_approval'],
  [{ type: 'approved', hash: 'h', choice: 'once', via: null }, 'queued'],
  [{ type: 'declined', fault: FAULT, via: 'elicitation' }, 'denied'],
  [{ type: 'refused', fault: FAULT, ...RULE }, 'denied'],
  [{ type: 'held', blockers: ['user_typing'] }, 'held'],
  [{ type: 'sent', decision: DECISION, monoMs: 1 }, 'submitted'],
  [{ type: 'began', block: block('running') }, 'running'],
  [{ type: 'changed', block: block('running') }, null],
  [{ type: 'ended', block: block('completed') }, 'completed'],
  [{ type: 'ended', block: block('interrupted') }, 'interrupted'],
  [{ type: 'ended', block: block('superseded') }, 'unknown_end'],
  [{ type: 'cancelled', fault: null }, 'cancelled'],
  [{ type: 'expired', fault: FAULT }, 'expired'],
  [{ type: 'failed', fault: FAULT, screen: 'what was there' }, 'failed_to_start'],
  [{ type: 'stopped' }, null],
  [{ type: 'abandoned' }, null],
];
const TABLE = ALL.flatMap((from) => EVENTS.map(([event, to]) => [from, event.type, to ?? from, event] as const));

test.each(TABLE)(
  '%s, when it is %s, becomes %s where the table has it, and else it is a bug',
  (from, _type, to, event) => {
    const state = Object.freeze({ ...NEW_REQUEST, status: from });
    const after = (): RequestState => reduceRequest(state, event);
    if (to === from || STEPS[from].includes(to)) expect(after().status).toBe(to);
    else expect(after).toThrow(`cannot go from ${from} to ${to}`);
  },
);

test('every step of the table is some event, and no event leads elsewhere', () => {
  const reached = new Set(EVENTS.flatMap(([, to]) => to ?? []));
  expect([...reached].sort()).toEqual([...ALL].sort());
});

/** States of a request after each event; skips events that are not allowed in the current state. */
function after(events: readonly RequestEvent[]): RequestState[] {
  const states: RequestState[] = [NEW_REQUEST];
  for (const event of events) {
    try {
      states.push(reduceRequest(states.at(-1) ?? NEW_REQUEST, event));
    } catch {
      // not allowed in this state
    }
  }
  return states;
}
const anyEvents = fc.array(fc.constantFrom(...EVENTS.map(([event]) => event)), { maxLength: 30 });

test('what was sent is never sent again, and is told with the decision that let it go (law)', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const states = after(events);
      const sent = states.findIndex(({ status }) => status === 'submitted');
      if (sent < 0) return;
      const behind = states.slice(sent);
      expect(behind.filter(({ status }) => isWaiting(status))).toEqual([]);
      expect(behind.every(({ sentMonoMs, decision }) => sentMonoMs === 1 && decision === DECISION)).toBe(true);
    }),
    fuzzRuns(500),
  );
});

test('a fault stands with the end that it explains, and with no other state (law)', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      for (const { status, fault } of after(events)) if (fault) expect(isOver(status)).toBe(true);
    }),
    fuzzRuns(500),
  );
});

test('being held for the same reason again changes nothing', () => {
  const held = reduceRequest(NEW_REQUEST, { type: 'held', blockers: ['user_typing'] });
  expect(reduceRequest(held, { type: 'held', blockers: ['user_typing'] })).toBe(held);
  expect(reduceRequest(held, { type: 'held', blockers: ['alt_screen'] })).not.toBe(held);
});

test("a person's word stands beside the rule of the policy that asked", () => {
  const asked = reduceRequest(NEW_REQUEST, { type: 'asked', rule: 'ask:git', subcommand: 'git push' });
  const approved = reduceRequest(asked, { type: 'approved', hash: 'h', choice: 'once', via: 'elicitation' });
  expect(approved).toMatchObject({
    decision: { by: 'user', choice: 'once', rule: 'ask:git', subcommand: 'git push' },
    approval: { hash: 'h', choice: 'once' },
    answeredVia: 'elicitation',
  });
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
