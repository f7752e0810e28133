import { describe, expect, test } from 'vitest';
import { chatOfRecording } from '../../agents/compare/chatOfRecording.ts';
import { addScores, type Comparison, compare, emptyScore } from '../../agents/compare/compare.ts';
import { findRecordings } from '../../agents/compare/findRecordings.ts';

/** Minimum share of all messages with the same text, and with equivalent Markdown. */
const TEXT_SHARE = 0.99;
const MARKDOWN_SHARE = 0.95;

const recordings = findRecordings();
const compared: Comparison[] = [];

describe.each(recordings)('$name', (recording) => {
  const { expected } = recording;
  test(`all that was said is found once, and nothing else: ${expected.about}`, async () => {
    const result = compare(expected, await chatOfRecording(recording));
    compared.push(result);
    const { said, found, invented, duplicated, tools, toolsFound, toolsInvented } = result;
    expect({ found, invented, duplicated, toolsFound, toolsInvented }, result.faults.join('\n')).toEqual({
      found: said,
      invented: 0,
      duplicated: 0,
      toolsFound: tools,
      toolsInvented: 0,
    });
  });
});

describe('all recordings together', () => {
  const total = () => compared.reduce(addScores, emptyScore());
  const faults = () => compared.flatMap((one) => one.faults).join('\n');

  test('there are recordings of several agents', () => {
    expect(new Set(recordings.map(({ expected }) => expected.agent)).size).toBeGreaterThan(2);
  });

  test('texts are as they were said', () => {
    const { found, textEqual } = total();
    expect(textEqual / found, faults()).toBeGreaterThanOrEqual(TEXT_SHARE);
  });

  test('Markdown is as it was said', () => {
    const { found, markdownEqual } = total();
    expect(markdownEqual / found, faults()).toBeGreaterThanOrEqual(MARKDOWN_SHARE);
  });

  test('every tool has the end that it had', () => {
    const { toolsFound, toolsPaired } = total();
    expect(toolsPaired, faults()).toBe(toolsFound);
  });

  test('states are told within half a second', () => {
    const { states, statesOnTime } = total();
    expect(statesOnTime, faults()).toBe(states);
  });
});
