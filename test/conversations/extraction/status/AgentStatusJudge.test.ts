import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgentState } from '../../../../src-main/contract/chat/chat.ts';
import { AgentStatusJudge } from '../../../../src-main/conversations/extraction/status/AgentStatusJudge.ts';
import type { Channel, Evidence } from '../../../../src-main/conversations/extraction/status/Evidence.ts';
import {
  ACTIVITY_MS,
  EXPIRY_RULES,
  LOST_HOLD_MS,
} from '../../../../src-main/conversations/extraction/status/expiry.ts';
import { progressEvidence, statusEvidence } from '../../../../src-main/conversations/extraction/status/statusOsc.ts';

type Step = readonly [atMs: number, channel: Channel, state: AgentState | null, asks?: string];

function evidence(channel: Channel, state: AgentState | null, asks?: string): Evidence {
  return {
    channel,
    state,
    rule: `${channel}.${state}`,
    line: `line of ${channel}`,
    ...(asks !== undefined && { asks }),
  };
}

/** The judge at `atMs`, after `steps` and all timed changes that are due. */
function judged(steps: readonly Step[], atMs: number): AgentStatusJudge {
  const judge = new AgentStatusJudge(0);
  for (const [when, channel, state, asks] of steps) {
    runTo(judge, when);
    judge.note(evidence(channel, state, asks), when);
  }
  runTo(judge, atMs);
  return judge;
}

function runTo(judge: AgentStatusJudge, atMs: number): void {
  for (let due = judge.dueMs; due !== null && due <= atMs; due = judge.dueMs) judge.tick(due);
}

const HOUR = 3_600_000;

describe('the state of an agent', () => {
  test.each<[title: string, steps: readonly Step[], atMs: number, state: AgentState, by: string | null]>([
    ['nobody has said anything: it starts', [], HOUR, 'starting', null],
    ['the screen alone is believed', [[10, 'screen', 'idle']], 20, 'idle', 'screen'],
    ['silence after work is no end', [[10, 'screen', 'working']], HOUR, 'working', 'screen'],
    ['bytes alone are work while they come', [[10, 'activity', 'working']], 100, 'working', 'activity'],
    ['bytes that stopped are nothing known', [[10, 'activity', 'working']], HOUR, 'unknown', null],
    [
      'a hook is believed before a screen that lags',
      [
        [10, 'screen', 'working'],
        [20, 'hook', 'idle'],
      ],
      30,
      'idle',
      'hook',
    ],
    [
      'a dialog beats a busy title',
      [
        [10, 'title', 'working'],
        [20, 'screen', 'needs_approval'],
      ],
      30,
      'needs_approval',
      'screen',
    ],
    [
      'a dialog beats a hook that works on something else',
      [
        [10, 'screen', 'needs_approval'],
        [500, 'hook', 'working'],
      ],
      HOUR,
      'needs_approval',
      'screen',
    ],
    [
      'a hook that asks is believed before the dialog is drawn',
      [
        [10, 'screen', 'working'],
        [20, 'hook', 'needs_approval'],
      ],
      25,
      'needs_approval',
      'hook',
    ],
    [
      'a dialog that has gone was answered',
      [
        [10, 'screen', 'working'],
        [20, 'hook', 'needs_approval'],
        [60, 'screen', 'needs_approval'],
        [5000, 'screen', 'working'],
      ],
      5160,
      'working',
      'screen',
    ],
    [
      'a question that no dialog follows was answered by itself',
      [
        [10, 'screen', 'working'],
        [20, 'hook', 'needs_approval'],
        [1600, 'screen', 'working'],
      ],
      1600,
      'working',
      'screen',
    ],
    [
      'a busy title beats an idle screen',
      [
        [10, 'screen', 'idle'],
        [20, 'title', 'working'],
      ],
      1000,
      'working',
      'osc',
    ],
    [
      'an idle title is worth less than a screen at work',
      [
        [10, 'title', 'idle'],
        [20, 'screen', 'working'],
      ],
      200,
      'working',
      'screen',
    ],
    [
      'a busy title stays behind for a while only',
      [
        [10, 'title', 'working'],
        [20, 'screen', 'idle'],
      ],
      2100,
      'idle',
      'screen',
    ],
    [
      'an interrupt, of which no hook tells, is seen on the screen',
      [
        [10, 'hook', 'working'],
        [20, 'screen', 'working'],
        [4000, 'screen', 'idle'],
      ],
      4450,
      'idle',
      'screen',
    ],
    [
      'it is not seen at once: boxes flicker',
      [
        [10, 'hook', 'working'],
        [20, 'screen', 'working'],
        [4000, 'screen', 'idle'],
      ],
      4100,
      'working',
      'hook',
    ],
    [
      'a prompt whose hook came is work before the screen shows it',
      [
        [10, 'screen', 'idle'],
        [1000, 'hook', 'working'],
      ],
      HOUR,
      'working',
      'hook',
    ],
    [
      'an input box that flashes up ends no turn',
      [
        [10, 'screen', 'working'],
        [1000, 'screen', 'idle'],
        [1100, 'screen', 'working'],
      ],
      1200,
      'working',
      'screen',
    ],
    [
      'an input box that stays does',
      [
        [10, 'screen', 'working'],
        [1000, 'screen', 'idle'],
      ],
      1300,
      'idle',
      'screen',
    ],
    [
      'a compaction, of which no hook tells, is work',
      [
        [10, 'hook', 'idle'],
        [1000, 'screen', 'working'],
      ],
      1200,
      'working',
      'screen',
    ],
    [
      'an approval that the title tells is waited for',
      [
        [10, 'screen', 'working'],
        [20, 'title', 'needs_approval'],
      ],
      30,
      'needs_approval',
      'osc',
    ],
    [
      'a title that means two things takes its word back',
      [
        [10, 'screen', 'idle'],
        [20, 'title', 'working'],
        [30, 'title', null],
      ],
      400,
      'idle',
      'screen',
    ],
    [
      'a process that is gone has exited, whatever is on the screen',
      [
        [10, 'screen', 'working'],
        [20, 'process', 'exited'],
        [30, 'screen', 'working'],
      ],
      40,
      'exited',
      'process',
    ],
    [
      'a farewell is an exit',
      [
        [10, 'screen', 'idle'],
        [20, 'screen', 'exited'],
      ],
      30,
      'exited',
      'screen',
    ],
    [
      'a farewell that the next session follows is none',
      [
        [10, 'hook', 'exited'],
        [20, 'hook', 'starting'],
        [500, 'screen', 'idle'],
      ],
      3000,
      'idle',
      'screen',
    ],
    [
      'OSC 7501 is the agent itself',
      [
        [10, 'screen', 'idle'],
        [20, 'status', 'working'],
      ],
      30,
      'working',
      'hook',
    ],
    [
      'all words taken back is unknown',
      [
        [10, 'screen', 'idle'],
        [20, 'screen', 'unknown'],
      ],
      20 + LOST_HOLD_MS,
      'unknown',
      null,
    ],
    [
      'a screen that is drawn anew and tells nothing for a moment changes nothing',
      [
        [10, 'screen', 'idle'],
        [20, 'screen', 'unknown'],
        [20 + LOST_HOLD_MS - 1, 'screen', 'idle'],
      ],
      HOUR,
      'idle',
      'screen',
    ],
    [
      'what is up does not start again because its screen tells nothing',
      [
        [10, 'process', 'starting'],
        [20, 'screen', 'idle'],
        [30, 'screen', 'unknown'],
      ],
      HOUR,
      'unknown',
      null,
    ],
  ])('%s', (_, steps, atMs, state, by) => {
    const { status } = judged(steps, atMs);
    expect([status.state, status.evidence?.by ?? null]).toEqual([state, by]);
  });

  test('what it waits for is told by whoever knows it, cut to 200 characters', () => {
    const steps: Step[] = [
      [10, 'screen', 'needs_approval'],
      [20, 'hook', 'needs_approval', `run ${'x'.repeat(300)}`],
    ];
    const { asks } = judged(steps, 30).status;
    expect(asks).toHaveLength(200);
    expect(asks).toMatch(/^run x+…$/);
    expect(judged([...steps, [900, 'hook', 'idle'], [910, 'screen', 'idle']], 2000).status.asks).toBeNull();
  });

  test('a second question in a row is told', () => {
    const judge = judged([[10, 'screen', 'needs_approval', 'one?']], 20);
    expect(judge.note(evidence('screen', 'needs_approval', 'two?'), 30)?.asks).toBe('two?');
  });

  test('the time of a state is when it began, though another channel confirms it later', () => {
    expect(
      judged(
        [
          [10, 'screen', 'working'],
          [900, 'hook', 'working'],
        ],
        1000,
      ).status.sinceMs,
    ).toBe(10);
  });
});

const channels: Channel[] = ['hook', 'status', 'title', 'notification', 'progress', 'screen'];
const step = fc.record({
  waitMs: fc.integer({ min: 1, max: 3000 }),
  channel: fc.constantFrom(...channels),
  state: fc.constantFrom(...AgentState.options, null),
});

function play(
  steps: readonly { waitMs: number; channel: Channel; state: AgentState | null }[],
): [AgentStatusJudge, number] {
  let atMs = 0;
  const timed = steps.map(({ waitMs, channel, state }): Step => {
    atMs += waitMs;
    return [atMs, channel, state];
  });
  return [judged(timed, atMs), atMs];
}

describe('laws of the judge', () => {
  test('a dialog on the screen is never overlooked', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const [judge, atMs] = play(steps.filter(({ state }) => state !== 'exited'));
        judge.note(evidence('screen', 'needs_approval'), atMs + 1);
        runTo(judge, atMs + HOUR);
        return judge.status.state === 'needs_approval' || judge.status.state === 'needs_input';
      }),
    );
  });

  test('silence changes nothing once what was due has happened', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const [judge, atMs] = play(steps);
        runTo(judge, atMs + 10_000);
        const before = judge.status;
        expect(judge.tick(atMs + HOUR)).toBeNull();
        expect(judge.status).toEqual(before);
      }),
    );
  });

  test('saying the same again changes no state', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const [judge, atMs] = play(steps);
        const last = steps.at(-1);
        if (last) expect(judge.note(evidence(last.channel, last.state), atMs)).toBeNull();
      }),
    );
  });

  test('a tick that comes late gives the same state as one in time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const [inTime, atMs] = play(steps);
        const [late] = play(steps);
        runTo(inTime, atMs + HOUR);
        late.tick(atMs + HOUR);
        expect(late.status.state).toBe(inTime.status.state);
      }),
    );
  });
});

test('every rule of expiry says why, and gives one time', () => {
  for (const rule of EXPIRY_RULES) {
    expect(rule.reason.length).toBeGreaterThan(20);
    expect([rule.afterMs, rule.seenAfterMs].filter((ms) => ms !== undefined)).toHaveLength(1);
  }
  expect(ACTIVITY_MS).toBeGreaterThan(0);
});

test.each([
  ['state=working:app=some', 'working'],
  ['state=idle:app=some', 'idle'],
  ['state=done', 'idle'],
  ['state=blocked:app=some', 'needs_input'],
  ['state=blocked:app=some:kind=permission', 'needs_approval'],
  ['state=dreaming', undefined],
  ['nothing', undefined],
])('OSC 7501 %s is %s', (body, state) => {
  expect(statusEvidence(body)?.state).toBe(state);
});

test('no progress is no word about the state', () => {
  expect(progressEvidence('none').state).toBeNull();
  expect(progressEvidence('indeterminate').state).toBe('working');
});
