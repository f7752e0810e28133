import { expect, test } from 'vitest';
import { paragraphRun, silentFaults } from '../../support/paragraphRun.ts';

/** Half a second each. A soak multiplies them (HANSARD_TEST_SCALE). */
const RUNS = Math.ceil(60 * Number(process.env.HANSARD_TEST_SCALE ?? 1));
/** What is wrong and not marked. None is the aim; more than 7 of 300 is worse than what was reached. */
const MOST_SILENT = { alternate: 0, normal: Math.ceil((RUNS * 7) / 300) };

test('paragraphs of one to three screens are recorded as they were said, or marked', { timeout: 240_000 }, () => {
  const runs = Array.from({ length: RUNS }, (_, at) => paragraphRun(at + 1));
  const silent = runs.filter((run) => silentFaults(run).length > 0).map(({ about }) => about);
  const isAlternate = (about: string) => /repaint|scrollRegion/.test(about);
  const said = runs.reduce((sum, run) => sum + run.said.length, 0);
  const equal = runs.reduce(
    (sum, { said: all, messages }) =>
      sum + messages.filter((own) => all.some((one) => one.endsWith(own.text.replace(/\s/g, '')))).length,
    0,
  );
  expect(equal).toBeGreaterThan(said * 0.6);
  expect({ alternate: silent.filter(isAlternate).length }).toEqual({ alternate: MOST_SILENT.alternate });
  expect(silent.filter((about) => !isAlternate(about)).length, silent.join('\n')).toBeLessThanOrEqual(
    MOST_SILENT.normal,
  );
});
