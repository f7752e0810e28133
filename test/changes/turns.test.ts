import { describe, expect, test } from 'vitest';
import { endsOf } from '../../src-main/changes/readChanges.ts';
import { parseDiff } from '../../src-main/changes/readDiff.ts';
import { NO_TURN, type TurnEvent, trackTurn } from '../../src-main/changes/trackTurn.ts';
import { countTests } from '../../src-main/changes/turnCommands.ts';
import type { SnapshotLine } from '../../src-main/contract/changes.ts';
import type { AgentState } from '../../src-main/contract/chat/chat.ts';

const state = (now: AgentState, atMs: number): TurnEvent => ({ type: 'state', state: now, atMs });
const prompt = (id: string, atMs: number): TurnEvent => ({ type: 'prompt', id, title: id, atMs });

function effects(...events: TurnEvent[]): string[] {
  let known = NO_TURN;
  return events.flatMap((event) => {
    const { state: next, effect } = trackTurn(known, event);
    known = next;
    return effect === null ? [] : [`${effect} ${next.turn}`];
  });
}

describe('a turn', () => {
  test.each<[string, TurnEvent[], string[]]>([
    [
      'begins with its prompt and ends when the agent is idle',
      [prompt('a', 0), state('working', 1), state('idle', 9)],
      ['begin 1', 'end 1'],
    ],
    [
      'begins when the agent works, and has its prompt once that is read',
      [state('working', 0), prompt('a', 1), state('idle', 9)],
      ['begin 1', 'name 1', 'end 1'],
    ],
    [
      'goes on over a question',
      [prompt('a', 0), state('working', 1), state('needs_approval', 2), state('working', 3), state('idle', 9)],
      ['begin 1', 'end 1'],
    ],
    [
      'goes on when the agent was idle for a moment between two tools',
      [prompt('a', 0), state('working', 1), state('idle', 1_000), state('working', 1_500), state('idle', 9_000)],
      ['begin 1', 'end 1', 'end 1'],
    ],
    [
      'is another one for a prompt that comes while the agent works',
      [prompt('a', 0), state('working', 1), prompt('b', 2), state('idle', 9)],
      ['begin 1', 'begin 2', 'end 2'],
    ],
    [
      'is another one when the agent works again by itself',
      [prompt('a', 0), state('working', 1), state('idle', 9), state('working', 60_000)],
      ['begin 1', 'end 1', 'begin 2'],
    ],
    ['ends with the agent', [prompt('a', 0), state('working', 1), state('exited', 9)], ['begin 1', 'end 1']],
    [
      'of an answer that was never seen at work ends when it has settled',
      [prompt('a', 0), { type: 'settled', atMs: 2_500 }],
      ['begin 1', 'end 1'],
    ],
    [
      'does not settle while the agent works',
      [prompt('a', 0), state('working', 1), { type: 'settled', atMs: 2_500 }],
      ['begin 1'],
    ],
    [
      'is not begun again by a prompt that is drawn again',
      [prompt('a', 0), state('working', 1), state('idle', 9), prompt('a', 20)],
      ['begin 1', 'end 1'],
    ],
    [
      'stays as it is while the screen says nothing',
      [prompt('a', 0), state('working', 1), state('unknown', 2), state('idle', 9)],
      ['begin 1', 'end 1'],
    ],
  ])('%s', (_, events, expected) => {
    expect(effects(...events)).toEqual(expected);
  });
});

test.each([
  ['      Tests  1 failed | 11 passed (12)\n Test Files  1 failed | 3 passed (4)', { passed: 11, failed: 1 }],
  ['Tests:       2 failed, 40 passed, 42 total\nTest Suites: 1 failed, 1 total', { passed: 40, failed: 2 }],
  ['=== 3 failed, 12 passed in 0.12s ===', { passed: 12, failed: 3 }],
  ['test result: ok. 7 passed; 0 failed; 0 ignored', { passed: 7, failed: 0 }],
  ['  12 passing (3s)\n  1 failing', { passed: 12, failed: 1 }],
  ['# pass 4\n# fail 0', { passed: 4, failed: 0 }],
  ['ℹ tests 5\nℹ pass 4\nℹ fail 1', { passed: 4, failed: 1 }],
  [' 12 pass\n 1 fail\n 30 expect() calls', { passed: 12, failed: 1 }],
  ['ok | 12 passed | 0 failed (3ms)', { passed: 12, failed: 0 }],
  ['5 failed login attempts, 3 passed over', null],
  ['ok  \texample.org/x\t0.2s', null],
  ['', null],
])('the tests that an output counts: %s', (output, expected) => {
  expect(countTests(output)).toEqual(expected);
});

test('a rename keeps both names and its counts, and a name may hold tabs and newlines', () => {
  const fields = [
    ':100644 100755 aaa bbb R090',
    'old\tname',
    'new\nname',
    ':000000 100644 000 ccc A',
    'x',
    '3\t1\t',
    'old\tname',
    'new\nname',
    '-\t-\tx',
  ];
  expect(parseDiff(fields)).toMatchObject([
    { path: 'new\nname', from: 'old\tname', status: 'renamed', added: 3, removed: 1, newMode: '100755' },
    { path: 'x', status: 'added', added: null, removed: null },
  ]);
});

test('a turn that began in one work tree of a repository and ended in another one compares nothing', () => {
  const taken = { tree: 't', commit: 'c', leftOut: [], ignored: [] };
  const line = (root: string, edge: 'begin' | 'end'): SnapshotLine => ({
    ...{ conversationId: 'c1', n: 1, turn: 1, edge, atMs: 1, promptId: null, title: '', cwd: root },
    ...{ repository: { root, common: '/a/.git' }, taken, fault: null, others: [], files: null },
  });
  const range = (root: string) => ({ turn: 1, begin: line('/a', 'begin'), end: line(root, 'end') });
  expect(endsOf(range('/a'), null)).toMatchObject({ from: taken, to: taken });
  expect(endsOf(range('/a-worktrees/one'), null)).toEqual({ fault: { why: 'moved', detail: '' } });
});
