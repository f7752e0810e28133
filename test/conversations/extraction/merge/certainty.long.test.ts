import { expect, test } from 'vitest';
import { timesOf } from '../../../support/fuzzRuns.ts';
import { paragraphRun, silentFaults } from '../../../support/paragraphRun.ts';

/** Each seed takes half a second, so only a soak (HANSARD_TEST_SCALE) runs them all. */
const SEEDS = timesOf({ merge: 20, soak: 300 });
/** Seeds from 1 to 300 with a fault that is not marked. */
const KNOWN: readonly number[] = [];

test('paragraphs of one to three screens are recorded as they were said, or marked', { timeout: 600_000 }, () => {
  const runs = Array.from({ length: SEEDS }, (_, at) => ({ seed: at + 1, ...paragraphRun(at + 1) }));
  const silent = runs.filter((run) => silentFaults(run).length > 0);
  const said = runs.reduce((sum, run) => sum + run.said.length, 0);
  const equal = runs.reduce(
    (sum, { said: all, messages }) =>
      sum + messages.filter((own) => all.some((one) => one.endsWith(own.text.replace(/\s/g, '')))).length,
    0,
  );
  expect(equal).toBeGreaterThan(said * 0.6);
  expect(silent.filter(({ seed }) => !KNOWN.includes(seed)).map(({ about }) => about)).toEqual([]);
});
