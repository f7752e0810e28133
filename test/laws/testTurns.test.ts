import { expect, test } from 'vitest';
import { longSuites, TURNS, turnOf } from '../../resources/dev/testTurn.mjs';
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
  expect([0, 1, 11, 12].map((asked) => turnOf({ HANSARD_TEST_TURN: String(asked) }, ROOT))).toEqual([0, 1, 11, 0]);
});
