import { expect, test } from 'vitest';
import { type DoorRefusal, DoorRefusals } from '../../../src-main/session/exec/DoorRefusals.ts';
import type { AuditEntry } from '../../../src-main/store/auditLog.ts';
import { FakeClock } from '../../support/FakeClock.ts';

function door() {
  const clock = new FakeClock();
  const lines: AuditEntry[] = [];
  const refusals = new DoorRefusals({ clock, audit: (entry) => lines.push(entry) });
  const refuse = (more: Partial<DoorRefusal> & { name?: string } = {}) => {
    const { name = 'cli', ...rest } = more;
    const code = 'RATE_LIMITED' as const;
    refusals.take({
      caller: { name, terminalId: null },
      terminalId: 't1',
      tool: 'pty_exec',
      what: 'ls',
      code,
      ...rest,
    });
  };
  return { clock, lines, refuse, refusals, told: () => lines.map(({ client, what }) => `${client}: ${what}`) };
}

test('the first of a kind is a line at once, those of the same minute are one line with their count', () => {
  const { clock, refuse, told, lines } = door();
  for (let n = 0; n < 1000; n++) refuse();
  refuse({ name: 'other' });
  refuse({ code: 'NOT_ALLOWED_SCOPE', what: 'rm x' });
  expect(told()).toEqual(['cli: ls', 'other: ls', 'cli: rm x']);
  expect(lines[0]).toMatchObject({ decision: 'refused', rule: 'RATE_LIMITED', tool: 'pty_exec', pty: 't1', bytes: 0 });
  clock.advance(60_000);
  expect(told().slice(3)).toEqual(['cli: and 999 more within a minute']);
  clock.advance(600_000);
  refuse();
  expect(told().slice(4)).toEqual(['cli: ls']);
});

test('a client that takes another name each time fills no disk', () => {
  const { clock, refuse, told } = door();
  for (let n = 0; n < 5000; n++) refuse({ name: `client-${n}` });
  expect(told()).toHaveLength(61);
  clock.advance(60_000);
  expect(told().slice(61)).toEqual([
    'client-60: and 4939 more within a minute, of pty_exec by client-60 and of others',
  ]);
});

test('what was counted is told when the core stops', () => {
  const { refuse, told, refusals } = door();
  refuse();
  refuse();
  refusals.dispose();
  expect(told()).toEqual(['cli: ls', 'cli: and 1 more within a minute']);
});
