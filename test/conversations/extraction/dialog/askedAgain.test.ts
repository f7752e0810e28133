import { describe, expect, test } from 'vitest';
import type { ScreenStep } from '../../../../src-main/contract/chat/extractor.ts';
import { chatOfSteps, type TypedAt } from '../../../support/chatOfCast.ts';
import { rowOf } from '../../../support/frames.ts';

const HEAD = ['>_ OpenAI Codex (v0.169.0)', '   /tmp/project', ''];
const DIALOG = [
  'Would you like to run the following command?',
  '',
  '  $ npm test',
  '',
  '› 1. Yes, proceed (y)',
  '  2. No, and tell Codex what to do differently (esc)',
  '',
  '  Press enter to confirm or esc to cancel',
];

/** What an agent draws where no question is open. */
const COMPOSER = ['› Ask Codex to do anything', '', '  gpt-mock default · /tmp/project', '', '', '', '', ''];

/** A screen at a time; `isWhole`: with the question. */
function stepAt(atMs: number, isWhole: boolean, from: number): ScreenStep {
  const rows = [...HEAD, ...(isWhole ? DIALOG : COMPOSER)].map((text) => rowOf(text));
  const where = { altScreen: true, title: '', cursorRow: null, cols: 80 };
  return { at: from, atMs, seq: from, left: [], isErased: false, rows, ...where };
}

/** The questions on the record, each with whether it was answered. */
function asked(
  shown: readonly (readonly [atMs: number, isWhole: boolean])[],
  typed: TypedAt[] = [],
): (string | null)[] {
  const steps = shown.map(([atMs, isWhole], at) => stepAt(atMs, isWhole, at + 1));
  const { session } = chatOfSteps(steps, 'codex', typed);
  return session.messages
    .filter(({ kind }) => kind === 'permission')
    .map(({ question }) => (question?.verdict ? question.verdict.choice : 'open'));
}

describe('a question that leaves the screen and comes back', () => {
  test('is recorded once where the agent only drew its rows again, in pieces', () => {
    expect(
      asked([
        [1_000, true],
        [1_100, false],
        [1_250, true],
      ]),
    ).toEqual(['open']);
    expect(
      asked([
        [1_000, true],
        [1_100, false],
        [1_250, true],
        [1_300, false],
        [1_350, true],
        [9_000, false],
      ]),
    ).toEqual([null]);
  });

  test('is another one where a key had answered it', () => {
    const typed = [{ keys: '1', steps: 1, atMs: 1_050 }];
    expect(
      asked(
        [
          [1_000, true],
          [1_100, false],
          [1_250, true],
        ],
        typed,
      ),
    ).toEqual(['Yes, proceed (y)', 'open']);
  });

  test('is another one where it comes back later', () => {
    expect(
      asked([
        [1_000, true],
        [1_100, false],
        [1_700, true],
      ]),
    ).toEqual([null, 'open']);
  });
});
