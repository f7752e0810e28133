import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { BROWSER } from '../support/WebApp.ts';
import { Day } from './day/Day.ts';
import { DEEDS } from './day/deeds.ts';

/** The whole day is 200 actions (window.md); a run before merging does each of them once or twice. */
const ACTIONS = Number(process.env.HANSARD_DAY_ACTIONS ?? 45);
/** Seed of the order. It is fixed, because a soak of laws has no time for whole days. */
const SEED = Number(process.env.HANSARD_DAY_SEED ?? 20_261_125);
const SHELLS = (process.env.HANSARD_DAY_SHELLS ?? 'bash').split(',');

/** A generator of numbers from 0 to below `end` with a seed (mulberry32). */
function numbers(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  };
}

/** Rounds of all deeds, each round in a random order. */
function plan(seed: number): string[] {
  const next = numbers(seed);
  const deeds: string[] = [];
  while (deeds.length < ACTIONS) {
    const rest = Object.keys(DEEDS);
    while (rest.length > 0) deeds.push(...rest.splice(next(rest.length), 1));
  }
  return deeds.slice(0, ACTIONS);
}

describe.skipIf(BROWSER === '' || !existsSync(BROWSER)).each(SHELLS)('a day in %s', (shell) => {
  let day: Day;
  beforeEach(() => {
    day = new Day(shell);
  });
  afterEach(() => day.end());

  test('has the card of each command, loses no key and leaves the keys where commands are written', {
    timeout: 60_000 + ACTIONS * 15_000,
  }, async () => {
    await day.begin();
    for (const [at, deed] of plan(SEED).entries()) {
      await DEEDS[deed]?.(day).catch(async (error: unknown) => {
        if (process.env.LOOK_AT) await day.page.screenshot({ path: `${process.env.LOOK_AT}/day.png` });
        throw new Error(`action ${at + 1} of seed ${SEED}: ${deed}`, { cause: error });
      });
    }
  });
});
