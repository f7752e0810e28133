import { describe, expect, test } from 'vitest';
import { randomCase } from '../../agents/cases/random.ts';
import { plainOf } from '../../agents/compare/texts.ts';
import type { Step } from '../../agents/drive/steps.ts';
import { formatRandomRuns, readRandomRuns, readRandomTable } from '../../agents/results/randomRuns.ts';

const SEEDS = Array.from({ length: 300 }, (_, at) => at);
const stepsOf = (seed: number): readonly Step[] => randomCase(`random-${seed}`)?.steps ?? [];
const asksOf = (seed: number) => stepsOf(seed).flatMap((step) => (step.do === 'ask' ? [step] : []));

describe('scripts of the rig that a seed composes', () => {
  test('the same seed is the same script, another seed another one', () => {
    expect(stepsOf(7)).toEqual(stepsOf(7));
    expect(new Set(SEEDS.map((seed) => JSON.stringify(stepsOf(seed)))).size).toBe(SEEDS.length);
  });

  test('other names are no scripts', () => {
    expect(['tools', 'random-', 'random-x', 'random-1.5'].map(randomCase)).toEqual([null, null, null, null]);
  });

  test('together they do everything that the generator knows', () => {
    const steps = SEEDS.flatMap(stepsOf);
    expect([...new Set(steps.map((step) => step.do))].sort()).toEqual(
      ['ask', 'clear', 'compact', 'exit', 'help', 'popup', 'redraw', 'resize', 'shell', 'start'].sort(),
    );
    const starts = steps.flatMap((step) => (step.do === 'start' ? [`${step.resumes} ${step.elsewhere}`] : []));
    expect(new Set(starts).size).toBe(3);
    const asks = SEEDS.flatMap(asksOf);
    expect(new Set(asks.flatMap(({ meanwhile = [] }) => meanwhile.map(({ does }) => does.type))).size).toBe(4);
    expect(new Set(asks.flatMap(({ replies }) => replies.map(({ tool }) => tool?.does))).size).toBe(4);
    expect(new Set(asks.flatMap(({ decides = [] }) => decides)).size).toBe(3);
    expect(asks.some(({ queued }) => queued?.cuts) && asks.some(({ isPasted }) => isPasted)).toBe(true);
  });

  test('no prompt is part of another one of its script, and no answer is as another one', () => {
    for (const seed of SEEDS) {
      const asks = asksOf(seed).flatMap((ask) => [ask, ...(ask.queued ? [ask.queued] : [])]);
      const prompts = asks.map(({ prompt }) => prompt);
      expect(prompts.filter((one) => prompts.some((other) => other !== one && other.includes(one)))).toEqual([]);
      const texts = asks.flatMap(({ replies }) => replies.flatMap(({ text }) => (text ? [plainOf(text)] : [])));
      expect(new Set(texts).size).toBe(texts.length);
    }
  });
});

test('the README of the rig has the table of the random scripts that were played', () => {
  expect(readRandomTable()).toBe(formatRandomRuns(readRandomRuns()));
});
