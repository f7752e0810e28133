import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ApprovalChange } from '../../../src-main/contract/mcp/approval.ts';
import {
  type ApprovalOutcome,
  ApprovalQueue,
  approvalHash,
  type Question,
} from '../../../src-main/mcp/access/ApprovalQueue.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { caller } from '../exec/clients.ts';

let clock: FakeClock;
let book: ApprovalQueue;
let outcomes: ApprovalOutcome[];

beforeEach(() => {
  clock = new FakeClock();
  let count = 0;
  book = new ApprovalQueue({ clock, randomId: () => String(++count) });
  outcomes = [];
});

function question(change: Partial<Question> = {}): Question {
  return {
    cmd: 'git push',
    cwd: '/repo',
    terminalId: 't1',
    epoch: 'e1',
    blockId: 'q-1',
    caller: caller('cli'),
    reason: null,
    rule: 'default',
    why: 'no rule names it',
    subcommand: null,
    prefix: ['git', 'push'],
    settled: (outcome) => outcomes.push(outcome),
    ...change,
  };
}

describe('an approval', () => {
  test('is open for 30 seconds and not a moment longer', () => {
    const { id } = book.ask(question());
    clock.advance(29_999);
    expect(book.open.map((open) => open.id)).toEqual([id]);
    clock.advance(1);
    expect(outcomes).toEqual([{ type: 'expired' }]);
    expect(book.answer(id, { choice: 'once' })).toBe(false);
  });

  test('that a window shows late has its time from then on, and is gone 40 seconds after it was asked', () => {
    const { id } = book.ask(question());
    clock.advance(5_000);
    book.shown(id);
    clock.advance(29_999);
    expect(outcomes).toEqual([]);
    clock.advance(1);
    expect(outcomes).toEqual([{ type: 'expired' }]);
    const late = book.ask(question());
    clock.advance(25_000);
    book.shown(late.id);
    clock.advance(10_000);
    book.shown(late.id); // a second window does not extend its time
    clock.advance(4_999);
    expect(outcomes.length).toBe(1);
    clock.advance(1);
    expect(outcomes.length).toBe(2);
  });

  test('is answered once', () => {
    const { id } = book.ask(question());
    expect(book.answer(id, { choice: 'once' })).toBe(true);
    expect(book.answer(id, { choice: 'deny', reason: '' })).toBe(false);
    clock.advance(60_000);
    expect(outcomes).toEqual([{ type: 'approved', choice: 'once' }]);
  });

  test('takes no prefix that was not offered', () => {
    const { id } = book.ask(question({ prefix: null }));
    expect(book.answer(id, { choice: 'prefix' })).toBe(false);
    expect(book.open.length).toBe(1);
  });

  test.each(['keys', 'control'] as const)('to type (%s) is given once and never for longer', (kind) => {
    const { id } = book.ask(question({ kind, prefix: ['git', 'push'] }));
    expect([book.answer(id, { choice: 'exact' }), book.answer(id, { choice: 'prefix' })]).toEqual([false, false]);
    expect(
      book.grants.hasExact({ terminalId: 't1', client: 'cli', account: 'cli' }, { cmd: 'git push', cwd: '/repo' }),
    ).toBe(false);
    expect(book.answer(id, { choice: 'once' })).toBe(true);
  });

  test('that allows for longer counts for that terminal and that client only, until it is closed', () => {
    const { id } = book.ask(question());
    book.answer(id, { choice: 'exact' });
    const command = { cmd: 'git push', cwd: '/repo' };
    const has = (terminalId: string, client: string, more = {}, account = 'cli'): boolean =>
      book.grants.hasExact({ terminalId, client, account }, { ...command, ...more });
    expect(has('t1', 'cli')).toBe(true);
    expect([
      has('t2', 'cli'),
      has('t1', 'other'),
      has('t1', 'cli', { cwd: '/' }),
      has('t1', 'cli', { cmd: 'git push -f' }),
      has('t1', 'cli', {}, 'another process of that name'),
    ]).toEqual([false, false, false, false, false]);
    book.forget('t1');
    expect(has('t1', 'cli')).toBe(false);
  });

  test('of a terminal that is closed is cancelled', () => {
    book.ask(question());
    book.forget('t1');
    expect(outcomes).toEqual([{ type: 'cancelled' }]);
  });

  test('shows what would not be seen', () => {
    const { shown } = book.ask(question({ cmd: 'ls\u202e\tx' }));
    expect(shown).toEqual([
      { text: 'ls', hidden: false },
      { text: 'U+202E', hidden: true },
      { text: '⇥', hidden: true },
      { text: 'x', hidden: false },
    ]);
  });

  test('is told to who follows: what is open, then each change', async () => {
    const changes: ApprovalChange[] = [];
    const stop = new AbortController();
    const following = (async () => {
      for await (const change of book.follow(stop.signal)) if (changes.push(change) === 3) stop.abort();
    })();
    await Promise.resolve();
    const { id } = book.ask(question());
    book.answer(id, { choice: 'deny', reason: 'no' });
    await following;
    expect(changes.map(({ type }) => type)).toEqual(['all', 'asked', 'gone']);
  });
});

describe('an answer through the client that asked', () => {
  test('counts once, for the question with that hash, and never holds on', () => {
    const asked = book.ask(question());
    book.askRemotely('q-1');
    expect(book.answerRemotely({ ...asked, hash: 'other' }, { choice: 'once' })).toBe(false);
    expect(book.answerRemotely(asked, { choice: 'once' })).toBe(true);
    expect(book.answerRemotely(asked, { choice: 'deny', reason: '' })).toBe(false);
    expect(outcomes).toEqual([{ type: 'approved', choice: 'once', via: 'elicitation' }]);
    expect(book.grants.hasExact({ terminalId: 't1', client: 'cli', account: 'cli' }, asked)).toBe(false);
  });

  test('counts only for what was put to that client', () => {
    expect(book.answerRemotely(book.ask(question()), { choice: 'once' })).toBe(false);
    expect(book.askRemotely('q-2')).toBeNull();
    expect(outcomes).toEqual([]);
  });

  test('still counts when a window has shown the question meanwhile', () => {
    const asked = book.ask(question());
    book.askRemotely('q-1');
    book.shown(asked.id);
    expect(book.answerRemotely(asked, { choice: 'deny', reason: 'no' })).toBe(true);
    expect(outcomes).toEqual([{ type: 'denied', reason: 'no', via: 'elicitation' }]);
  });

  test.each([
    ['the window answers', (id: string) => book.answer(id, { choice: 'once' })],
    ['time runs out', () => clock.advance(30_000)],
    ['nobody wants it any more', () => book.cancel('q-1')],
    ['the terminal is closed', () => book.forget('t1')],
    ['the app ends', () => book.dispose()],
  ] as const)('is wanted no more when %s', (_, end) => {
    const asked = book.ask(question());
    const over = book.askRemotely('q-1')?.over;
    expect(over?.aborted).toBe(false);
    end(asked.id);
    expect(over?.aborted).toBe(true);
    expect(book.answerRemotely(asked, { choice: 'once' })).toBe(false);
  });

  test('makes the terminal that the client runs in one where somebody could answer, for as long as it is open', () => {
    const asked = book.ask(question({ caller: caller('cli', { terminalId: 't9' }) }));
    expect(book.isAskedIn('t9')).toBe(false);
    book.askRemotely('q-1');
    expect([book.isAskedIn('t9'), book.isAskedIn('t1')]).toEqual([true, false]);
    book.answer(asked.id, { choice: 'once' });
    expect(book.isAskedIn('t9')).toBe(false);
  });
});

test('law: two things that differ in command, folder, terminal or epoch never have the same hash', () => {
  const bound = fc.record({
    cmd: fc.string(),
    cwd: fc.option(fc.string()),
    terminalId: fc.string(),
    epoch: fc.string(),
  });
  fc.assert(
    fc.property(bound, bound, (a, b) => {
      const isSame = a.cmd === b.cmd && a.cwd === b.cwd && a.terminalId === b.terminalId && a.epoch === b.epoch;
      expect(approvalHash(a) === approvalHash(b)).toBe(isSame);
    }),
  );
  const moved = { cmd: 'a', cwd: 'bc', terminalId: 't', epoch: 'e' };
  expect(approvalHash(moved)).not.toBe(approvalHash({ ...moved, cmd: 'ab', cwd: 'c' }));
});
