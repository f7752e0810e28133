import { expect, test } from 'vitest';
import { longSuites, TURNS, turnCountOf, turnOf } from '../../resources/dev/testTurn.mjs';
import { ROOT } from '../support/sourceFiles.ts';

const turns = Array.from({ length: TURNS }, (_, turn) => longSuites(ROOT, turn));

test('each long suite has exactly one of the turns', () => {
  const [{ all } = { all: [] }] = turns;
  expect(all.length).toBeGreaterThan(50);
  const run = turns.flatMap(({ left }) => all.filter((name) => !left.includes(name)));
  expect(run.sort()).toEqual(all);
});

test('a commit has one turn, and a turn can be asked for', () => {
  expect(turnOf({}, ROOT)).toBe(turnOf({}, ROOT));
  expect([0, 1, 23, 24].map((asked) => turnOf({ HANSARD_TEST_TURN: String(asked) }, ROOT))).toEqual([0, 1, 23, 0]);
});

test('several turns in one run are the suites of each, also over the last turn', () => {
  const runOf = (turn: number, count: number) => {
    const { all, left } = longSuites(ROOT, turn, count);
    return all.filter((name) => !left.includes(name));
  };
  expect(runOf(22, turnCountOf({ HANSARD_TEST_TURNS: '4' }))).toEqual(
    [22, 23, 0, 1].flatMap((turn) => runOf(turn, turnCountOf({}))).sort(),
  );
});
