import { describe, expect, test, vi } from 'vitest';
import type { Frame } from '../../../src-main/contract/screen/frame.ts';
import { WaitQuery } from '../../../src-main/contract/screen/screen.ts';
import { VolatileRows } from '../../../src-main/screen/rows/VolatileRows.ts';
import { judgeWait, nextJudgeMs, type WaitInput, type WaitState } from '../../../src-main/screen/waits/judgeWait.ts';
import { beginSeen, viewOf } from '../../../src-main/screen/waits/newText.ts';
import { searchPattern } from '../../../src-main/screen/waits/searchPattern.ts';
import { frameOf, rowOf } from '../../support/frames.ts';

const START_MS = 1000;
const BEFORE = frameOf(['$ make', 'error: old', '$ '], { rowsCount: 5 });

const taken = (frame: Frame, scrolled = 0) => ({ frame, atMs: 0, scrolled, uncounted: 0 });

function stateOf(query: object, base = BEFORE, place?: { row: number; col: number }): WaitState {
  const parsed = WaitQuery.parse(query);
  return {
    query: parsed,
    deadlineMs: START_MS + parsed.timeoutMs,
    base: { seq: base.seq, epoch: base.epoch },
    seen: beginSeen(viewOf(taken(base)), null, place),
    baseFrame: base,
    last: null,
    restless: VolatileRows.NONE,
    judgedMs: START_MS,
    stillSinceMs: parsed.conditions.map(() => START_MS),
    tries: [],
  };
}

function inputOf(frame: Frame, rest: Partial<WaitInput> = {}): WaitInput {
  const nothing = {
    left: [],
    above: () => [],
    told: () => null,
    hasEnded: false,
    isBehind: false,
    isAtPrompt: false,
    agent: null,
    exit: null,
  };
  return { nowMs: START_MS, taken: taken(frame), ...nothing, ...rest };
}

/** The last verdict after the inputs, one after the other. */
function judgeAll(query: object, ...inputs: WaitInput[]) {
  let state = stateOf(query);
  let verdict = null as ReturnType<typeof judgeWait>[1];
  for (const input of inputs) {
    if (verdict) throw new Error(`over before input ${inputs.indexOf(input)}: ${verdict.outcome}`);
    [state, verdict] = judgeWait(state, input, searchPattern);
  }
  return verdict;
}

const later = (rows: string[], rest: Partial<Frame> = {}) => frameOf(rows, { seq: 2, rowsCount: 5, ...rest });
const one = (condition: object, rest: object = {}) => ({ conditions: [condition], ...rest });
const match = (pattern: string, rest: object = {}) => one({ type: 'match', pattern, ...rest });
const exit = { exitCode: 0, signal: null };

describe('a wait', () => {
  test.each<[string, object, WaitInput, string | null]>([
    ['for text is not met by old text', match('error'), inputOf(BEFORE), null],
    [
      'for text is met by old text when it looks at the screen',
      match('error', { scope: 'screen' }),
      inputOf(BEFORE),
      'met',
    ],
    ['for text is met by new text', match('error'), inputOf(later(['$ make', 'error: old', '$ x', 'error'])), 'met'],
    [
      'for text is not met by what was in a row before it went on',
      match('\\$ '),
      inputOf(later(['$ make', 'error: old', '$ ls'])),
      null,
    ],
    [
      'for text is met by text that begins in what was and goes on',
      match('\\$ ls'),
      inputOf(later(['$ make', 'error: old', '$ ls'])),
      'met',
    ],
    [
      'for text is not met by rows that moved up',
      match('error'),
      inputOf(later(['error: old', '$ x', 'y']), {
        taken: taken(later(['error: old', '$ x', 'y']), 1),
        left: [rowOf('$ make')],
      }),
      null,
    ],
    [
      'for text is met by the same prompt in the same row of a screen that scrolled',
      match('\\$ $'),
      inputOf(BEFORE, {
        taken: taken(later(['a', 'b', '$ ']), 3),
        left: [rowOf('$ make'), rowOf('error: old'), rowOf('$ x')],
      }),
      'met',
    ],
    [
      'for text is met by text that has scrolled off',
      match('gone'),
      inputOf(BEFORE, {
        taken: taken(later(['a', 'b', 'c']), 4),
        left: ['$ make', 'error: old', '$ x', 'gone'].map((text) => rowOf(text)),
      }),
      'met',
    ],
    [
      'for text is met over a soft wrap',
      match('abcdef'),
      inputOf(later(['x', 'abc', rowOf('def', true)] as string[])),
      'met',
    ],
    ['for text is not met over a line break', match('abcdef'), inputOf(later(['x', 'abc', 'def'])), null],
    ['for absence is met when it is nowhere', one({ type: 'absent', pattern: 'warn' }), inputOf(BEFORE), 'met'],
    ['for absence is not met by what is there', one({ type: 'absent', pattern: 'error' }), inputOf(BEFORE), null],
    ['for a change is not met by the same frame', one({ type: 'changed' }), inputOf(BEFORE), null],
    ['for a change is met by another', one({ type: 'changed' }), inputOf(later(['x'])), 'met'],
    [
      'for stillness is not met before its time',
      one({ type: 'stable', ms: 50 }),
      inputOf(BEFORE, { nowMs: START_MS + 49 }),
      null,
    ],
    [
      'for stillness is met at its time',
      one({ type: 'stable', ms: 50 }),
      inputOf(BEFORE, { nowMs: START_MS + 50 }),
      'met',
    ],
    [
      'for stillness is not met while output waits',
      one({ type: 'stable', ms: 50 }),
      inputOf(BEFORE, { nowMs: START_MS + 99, isBehind: true }),
      null,
    ],
    ["for a command's end is met by it", one({ type: 'block-end' }), inputOf(BEFORE, { hasEnded: true }), 'met'],
    ['for the prompt is met by it', one({ type: 'prompt' }), inputOf(BEFORE, { isAtPrompt: true }), 'met'],
    [
      'for text in the scrollback is met by what is held above',
      match('gone', { scope: 'scrollback' }),
      inputOf(BEFORE, { above: () => [rowOf('it is gone')] }),
      'met',
    ],
    [
      'for an agent is met by one in that state',
      one({ type: 'agent', states: ['needs_input', 'needs_approval'] }),
      inputOf(BEFORE, { agent: 'needs_approval' }),
      'met',
    ],
    [
      'for an agent is not met by one in another',
      one({ type: 'agent', states: ['idle'] }),
      inputOf(BEFORE, { agent: 'working' }),
      null,
    ],
    ['for an agent is not met without one', one({ type: 'agent', states: ['idle'] }), inputOf(BEFORE), null],
    [
      'for a change is not met by a row that does not count',
      one({ type: 'changed', ignoreRows: [1] }),
      inputOf(later(['$ make', 'error: new', '$ '])),
      null,
    ],
    [
      'for a change is met by another row',
      one({ type: 'changed', ignoreRows: [1] }),
      inputOf(later(['$ make', 'error: new', '$ ls'])),
      'met',
    ],
    [
      'for a change, clocks passed over, is not met at once by a row that may be one',
      one({ type: 'changed', ignoreRows: 'auto' }),
      inputOf(later(['$ make', 'error: new', '$ '])),
      null,
    ],
    [
      'for a change, clocks passed over, is met at once by many rows',
      one({ type: 'changed', ignoreRows: 'auto' }),
      inputOf(later(['a', 'b', 'c', 'd', 'e'])),
      'met',
    ],
    ['for the exit is met by it', one({ type: 'exit' }), inputOf(BEFORE, { exit }), 'met'],
    ['for anything else is ended by an exit', match('never'), inputOf(BEFORE, { exit }), 'exited'],
    ['is met by what was printed last when the program exits', match('bye'), inputOf(later(['bye']), { exit }), 'met'],
    ['is over at its deadline', match('never', {}), inputOf(BEFORE, { nowMs: START_MS + 30_000 }), 'deadline'],
    [
      'of no time judges what is there',
      one({ type: 'absent', pattern: 'error' }, { timeoutMs: 0 }),
      inputOf(BEFORE),
      'deadline',
    ],
    ['of no time can be met', one({ type: 'absent', pattern: 'x' }, { timeoutMs: 0 }), inputOf(BEFORE), 'met'],
    ['ends with a pattern that is none', match('('), inputOf(BEFORE), 'bad-pattern'],
    [
      'for all is not met by one',
      { mode: 'all', conditions: [{ type: 'changed' }, { type: 'prompt' }] },
      inputOf(later(['x'])),
      null,
    ],
    [
      'for all is met by all',
      { mode: 'all', conditions: [{ type: 'changed' }, { type: 'prompt' }] },
      inputOf(later(['x']), { isAtPrompt: true }),
      'met',
    ],
    [
      'for any is met by one',
      { conditions: [{ type: 'exit' }, { type: 'prompt' }] },
      inputOf(BEFORE, { isAtPrompt: true }),
      'met',
    ],
  ])('%s', (_, query, input, outcome) => {
    expect(judgeAll(query, input)?.outcome ?? null).toBe(outcome);
  });

  test('says which conditions were met, and where the text stands', () => {
    const conditions = [{ type: 'exit' }, { type: 'match', pattern: 'e(r+)or: (n?)' }, { type: 'changed' }];
    const frame = later(['$ make', 'error: old', '$ x', '  error: new']);
    expect(judgeAll({ conditions }, inputOf(frame))).toEqual({
      outcome: 'met',
      met: [1, 2],
      isImmediate: false,
      match: { text: 'error: n', groups: ['rr', 'n'], row: 3, col: 2, resume: { seq: 2, row: 3, col: 10 } },
      reason: null,
    });
  });

  test('gives rows above the screen as negative', () => {
    const left = ['$ make', 'error: old', '$ x', 'gone', 'also'].map((text) => rowOf(text));
    const found = judgeAll(match('gone'), inputOf(BEFORE, { taken: taken(later(['a', 'b', 'c']), 5), left }));
    expect(found?.match).toMatchObject({ row: -2, col: 0, resume: { row: -2, col: 4 } });
  });

  test('looks only behind the place where the last match ended', () => {
    const frame = frameOf(['go', 'tick tick', 'tick'], { seq: 5 });
    const state = stateOf(match('tick'), frame, { row: 1, col: 4 });
    expect(judgeWait(state, inputOf(frame), searchPattern)[1]?.match).toMatchObject({ row: 1, col: 5 });
    const atEnd = stateOf(match('tick'), frame, { row: 2, col: 4 });
    expect(judgeWait(atEnd, inputOf(frame), searchPattern)[1]).toBeNull();
  });

  test('is not moved by output: still the same deadline after any number of frames', () => {
    const frames = Array.from({ length: 5 }, (_, n) =>
      inputOf(later([`tick ${n}`], { seq: n + 2 }), { nowMs: START_MS + n * 100 }),
    );
    const last = inputOf(later(['tick 9'], { seq: 9 }), { nowMs: START_MS + 500 });
    expect(judgeAll(match('never', {}), ...frames)).toBeNull();
    expect(judgeAll({ ...match('never'), timeoutMs: 500 }, ...frames, last)?.outcome).toBe('deadline');
  });

  test('for stillness starts again with each change, but not with those in ignored rows', () => {
    const ticking = (second: number) =>
      inputOf(later(['work', `${second} s`], { seq: second + 2 }), { nowMs: START_MS + second * 40 });
    const still = { type: 'stable', ms: 100 };
    expect(judgeAll(one(still), ticking(0), ticking(1), ticking(2), ticking(3))).toBeNull();
    expect(judgeAll(one({ ...still, ignoreRows: [1] }), ticking(0), ticking(1), ticking(2), ticking(3))?.outcome).toBe(
      'met',
    );
  });

  test('stays new until it is matched, also after it moved', () => {
    const second = later(['error: old', '$ x', 'new', ''], { seq: 2 });
    const third = later(['$ x', 'new', 'end', ''], { seq: 3 });
    const query = {
      mode: 'all',
      conditions: [
        { type: 'match', pattern: 'new' },
        { type: 'match', pattern: 'end' },
      ],
    };
    const inputs = [
      inputOf(second, { taken: taken(second, 1), left: [rowOf('$ make')] }),
      inputOf(third, { taken: taken(third, 2), left: [rowOf('error: old')] }),
    ];
    expect(judgeAll(query, ...inputs)?.met).toEqual([0, 1]);
  });

  test('does not take the screen that comes back from the alternate one for new', () => {
    const alt = later(['editor', '', ''], { altScreen: true, seq: 2 });
    const back = later(['$ make', 'error: old', '$ vim', '$ '], { seq: 3 });
    expect(judgeAll(match('error'), inputOf(alt), inputOf(back))).toBeNull();
    expect(judgeAll(match('vim'), inputOf(alt), inputOf(back))?.outcome).toBe('met');
  });

  test('does not take text that a new size wrapped anew for new', () => {
    const wide = frameOf(['the quick brown fox', 'jumps'], { cols: 20 });
    const narrow = frameOf(['the quick ', rowOf('brown fox', true), 'jumps', 'over'], { cols: 10, seq: 2 });
    const state = stateOf(match('quick brown|jumps'), wide);
    expect(judgeWait(state, inputOf(narrow), searchPattern)[1]).toBeNull();
    const other = stateOf(match('over'), wide);
    expect(judgeWait(other, inputOf(narrow), searchPattern)[1]?.outcome).toBe('met');
  });

  test('takes everything for new after the emulator was emptied', () => {
    expect(judgeAll(match('error'), inputOf(later(['error: old'], { epoch: 1 })))?.outcome).toBe('met');
  });

  test('tries each pattern once for each frame', () => {
    const search = vi.fn(searchPattern);
    let [state] = judgeWait(stateOf(match('x+')), inputOf(BEFORE), search);
    [state] = judgeWait(state, inputOf(BEFORE, { nowMs: START_MS + 9 }), search);
    expect(search).toHaveBeenCalledTimes(1);
    judgeWait(state, inputOf(later(['y'])), search);
    expect(search).toHaveBeenCalledTimes(2);
  });

  test('wants to be judged when it is over or stillness is due', () => {
    expect(nextJudgeMs(stateOf(match('x', {})))).toBe(START_MS + 30_000);
    expect(nextJudgeMs(stateOf({ conditions: [{ type: 'stable', ms: 70 }, { type: 'changed' }] }))).toBe(START_MS + 70);
  });
});

describe('a pattern', () => {
  test('that runs away is ended after 50 ms, and says so', () => {
    const beganMs = performance.now();
    const result = searchPattern({ pattern: '^(a+)+$', flags: '' }, `${'a'.repeat(40)}!`);
    expect(result).toEqual({ type: 'too-slow', reason: 'The pattern took longer than 50 ms' });
    expect(performance.now() - beganMs).toBeLessThan(1000);
  });

  test.each([
    ['abc', '', ['abc']],
    ['A.C', 'i', ['abc']],
    ['(b)(x)?', '', ['b']],
    ['\\d\\d', '', ['12', '34']],
    ['^c', 'm', []],
  ])('%s with flags "%s" finds what JavaScript finds', (pattern, flags, texts) => {
    const result = searchPattern({ pattern, flags }, 'abc 1234');
    expect(result.type === 'found' && result.found.map(({ text }) => text)).toEqual(texts);
  });

  test('cannot reach anything of ours', () => {
    const result = searchPattern({ pattern: '(?<process>constructor)', flags: '' }, 'constructor');
    expect(result).toEqual({ type: 'found', found: [{ index: 0, text: 'constructor', groups: ['constructor'] }] });
  });
});

test('a match in the scrollback is told above the screen', () => {
  const above = () => [rowOf('first'), rowOf('it is gone'), rowOf('last')];
  const verdict = judgeAll(match('gone', { scope: 'scrollback' }), inputOf(BEFORE, { above }));
  expect(verdict?.match).toMatchObject({ text: 'gone', row: -2, col: 6 });
});

test('the scrollback is looked at again when rows went by under a screen that looks the same', () => {
  const looks = match('gone', { scope: 'scrollback' });
  const scrolled = inputOf(BEFORE, { taken: taken(BEFORE, 5), above: () => [rowOf('gone')] });
  expect(judgeAll(looks, inputOf(BEFORE), scrolled)?.outcome).toBe('met');
});

describe('with clocks passed over', () => {
  const tick = (n: number) => later(['$ make', `tick ${n}`, '$ '], { seq: 2 + n });
  const ticks = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, n) => inputOf(tick(n), { nowMs: START_MS + (n + 1) * everyMs }));

  test('a wait for stillness is met while a clock goes on', () => {
    const still = one({ type: 'stable', ms: 1000, ignoreRows: 'auto' });
    expect(judgeAll(still, ...ticks(11, 100))).toBeNull();
    expect(judgeAll(still, ...ticks(12, 100))?.outcome).toBe('met');
    expect(judgeAll(one({ type: 'stable', ms: 1000 }), ...ticks(30, 100))).toBeNull();
  });

  test('a wait for a change is not met by one, and by what has changed beside it once that stands', () => {
    const changed = one({ type: 'changed', ignoreRows: 'auto' });
    const clock = ticks(40, 100);
    expect(judgeAll(changed, ...clock)).toBeNull();
    const other = (atMs: number) => inputOf(later(['$ make', 'tick 9', '$ done'], { seq: 90 }), { nowMs: atMs });
    expect(judgeAll(changed, ...clock, other(START_MS + 5000), other(START_MS + 6199))).toBeNull();
    expect(judgeAll(changed, ...clock, other(START_MS + 5000), other(START_MS + 6200))?.outcome).toBe('met');
  });

  test('such a wait is looked at again when that time has come', () => {
    const changed = one({ type: 'changed', ignoreRows: 'auto' });
    const [state] = judgeWait(stateOf(changed), inputOf(tick(0), { nowMs: START_MS + 10 }), searchPattern);
    expect(nextJudgeMs(state)).toBe(START_MS + 1200);
  });
});
