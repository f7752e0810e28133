import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AuditAggregator, type CountedCall } from '../../../src-main/mcp/audit/AuditAggregator.ts';
import type { AuditEntry } from '../../../src-main/store/audit/auditLog.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const MINUTE = 60_000;

function book({ maxKinds = 60, areReads = false }: { maxKinds?: number; areReads?: boolean } = {}) {
  const clock = new FakeClock();
  const lines: AuditEntry[] = [];
  const calls = new AuditAggregator({ clock, maxKinds, areReads, audit: (entry) => lines.push(entry) });
  const take = (more: Partial<CountedCall> & { name?: string; account?: string } = {}) => {
    const { name = 'cli', account = 'one', ...rest } = more;
    const end = areReads ? ('answered' as const) : ('RATE_LIMITED' as const);
    const caller = { name, terminalId: null, account };
    calls.take({ caller, terminalId: 't1', tool: 'pty_exec', what: 'ls', end, bytes: areReads ? 10 : 0, ...rest });
  };
  return { clock, lines, take, calls, told: () => lines.map(({ client, what }) => `${client}: ${what}`) };
}

test('the first of a kind is a line at once, those that follow are one line with their count and what they were about', () => {
  const { clock, take, told, lines } = book();
  for (let n = 0; n < 999; n++) take();
  take({ what: 'make' });
  take({ name: 'other' });
  take({ end: 'NOT_ALLOWED_SCOPE', what: 'rm x' });
  take({ terminalId: 't2', what: 'pwd' });
  expect(told()).toEqual(['cli: ls', 'other: ls', 'cli: rm x', 'cli: pwd']);
  expect(lines[0]).toMatchObject({ decision: 'refused', rule: 'RATE_LIMITED', tool: 'pty_exec', pty: 't1', bytes: 0 });
  expect(lines[0]).toMatchObject({ reads: null });
  clock.advance(MINUTE);
  expect(told().slice(4)).toEqual(['cli: 999 more within a minute: ls (998 times); make']);
});

test('a client that goes on is told ever more seldom, and anew when it was quiet for an hour', () => {
  const { clock, take, told } = book();
  const tell = (minutes: number) => {
    const before = told().length;
    for (let minute = 0; minute < minutes; minute++) {
      take();
      clock.advance(MINUTE);
    }
    return told().slice(before);
  };
  expect(tell(1)).toEqual(['cli: ls']);
  expect(tell(10)).toEqual(['cli: 10 more within 10 minutes: ls']);
  expect(tell(60)).toEqual(['cli: 60 more within an hour: ls']);
  expect(tell(60)).toEqual(['cli: 60 more within an hour: ls']);
  clock.advance(60 * MINUTE);
  expect(tell(1)).toEqual(['cli: ls']);
});

test('reads say how many they were and how much was given, and how they ended', () => {
  const { clock, take, lines } = book({ areReads: true });
  for (let n = 0; n < 5; n++) take({ tool: 'blocks_read', bytes: 100 + n });
  take({ tool: 'blocks_read', end: 'PTY_NOT_FOUND', bytes: 0 });
  take({ tool: 'pty_snapshot_wait', end: 'cancelled', bytes: 0 });
  take({ tool: 'pty_status', end: 'failed', bytes: 0 });
  clock.advance(MINUTE);
  expect(lines.map(({ tool, decision, rule, bytes, reads }) => [tool, decision, rule, bytes, reads])).toEqual([
    ['blocks_read', 'allowed', 'observe', 100, 1],
    ['blocks_read', 'refused', 'PTY_NOT_FOUND', 0, 1],
    ['pty_snapshot_wait', 'cancelled', null, 0, 1],
    ['pty_status', 'refused', 'failed', 0, 1],
    ['blocks_read', 'allowed', 'observe', 101 + 102 + 103 + 104, 4],
  ]);
});

test('a client that takes another name each time fills no disk', () => {
  const { clock, take, told, lines } = book();
  for (let n = 0; n < 5000; n++) take({ name: `client-${n}` });
  expect(told()).toHaveLength(61);
  clock.advance(MINUTE);
  const [count, ...none] = told().slice(61);
  expect(none).toEqual([]);
  expect(count).toMatch(
    /^several: 4939 more within a minute: pty_exec by client-61; pty_exec by client-62; .*; others$/,
  );
  expect(lines.at(-1)).toMatchObject({ tool: 'several', pty: null, rule: 'RATE_LIMITED' });
});

test('a client with 500 names is not counted with a client that has one', () => {
  const { clock, take, told } = book({ maxKinds: 30 });
  for (let n = 0; n < 500; n++) take({ name: `made-up-${n}`, account: 'flood' });
  take({ name: 'honest', account: 'other' });
  for (let n = 0; n < 3; n++) take({ name: 'honest', account: 'other', what: 'make' });
  expect(told()).toContain('honest: ls');
  clock.advance(MINUTE);
  expect(told()).toContain('honest: 3 more within a minute: make');
  expect(told().filter((line) => line.startsWith('several: '))).toEqual([
    expect.stringMatching(/^several: 469 more within a minute: pty_exec by made-up-31; /),
  ]);
  expect(told().filter((line) => /^several: .*honest/.test(line))).toEqual([]);
});

test('a secret is taken out before what it stands in is cut', () => {
  const { take, told, calls } = book();
  const token = `ghp_${'a1B2c3D4e5'.repeat(3)}F6g7H8`;
  take();
  take({ what: `${'x'.repeat(60)} ${token} ${token}` });
  calls.dispose();
  expect(told().at(-1)).toContain('xxx');
  expect(told().join()).not.toContain('ghp_a1');
});

test('what goes on without end is not kept whole, nor ends in half of a secret', () => {
  const { take, lines, calls } = book();
  const token = `ghp_${'a1B2c3D4e5'.repeat(3)}F6g7H8`;
  take({ what: `echo ${'x '.repeat(2_040)}${token}${' x'.repeat(1_000_000)}` });
  take({ what: 'y'.repeat(1_000_000) });
  calls.dispose();
  expect(lines[0]?.what).toMatch(/^echo (x )+… \(2004125 characters\)$/);
  expect(lines[0]?.what.length).toBeLessThan(4_200);
  expect(lines[1]?.what).toBe('1 more within a minute: … (1000000 characters)');
});

test('what was counted is told when the core stops', () => {
  const { take, told, calls } = book();
  take();
  take();
  calls.dispose();
  expect(told()).toEqual(['cli: ls', 'cli: 1 more within a minute: ls']);
  take({ what: 'late' });
  expect(told().slice(2)).toEqual(['cli: late']);
});

test('each call is counted once, with its bytes, whatever comes when', () => {
  const call = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    terminalId: fc.constantFrom('t1', 't2', null),
    tool: fc.constantFrom('pty_status', 'blocks_read'),
    what: fc.constantFrom('', 'x', 'y'),
    bytes: fc.nat(1000),
    afterMs: fc.nat(40 * MINUTE),
  });
  const sum = (numbers: number[]) => numbers.reduce((before, one) => before + one, 0);
  fc.assert(
    fc.property(fc.array(call, { maxLength: 200, size: 'max' }), fc.integer({ min: 1, max: 12 }), (all, maxKinds) => {
      const { clock, lines, take, calls } = book({ maxKinds, areReads: true });
      for (const { afterMs, ...one } of all) {
        clock.advance(afterMs);
        take(one);
      }
      calls.dispose();
      expect(sum(lines.map(({ reads }) => reads ?? 0))).toBe(all.length);
      expect(sum(lines.map(({ bytes }) => bytes))).toBe(sum(all.map(({ bytes }) => bytes)));
    }),
  );
});
