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

/** The rows that an agent draws when no question is open. */
const COMPOSER = ['› Ask Codex to do anything', '', '  gpt-mock default · /tmp/project', '', '', '', '', ''];

/** A screen at `atMs`; with `isWhole`, it shows the question. */
function stepAt(atMs: number, isWhole: boolean, from: number): ScreenStep {
  return stepOf(atMs, from, [...HEAD, ...(isWhole ? DIALOG : COMPOSER)]);
}

function stepOf(atMs: number, from: number, texts: readonly string[]): ScreenStep {
  const rows = texts.map((text) => rowOf(text));
  const where = { altScreen: true, title: '', cursorRow: null, cols: 80 };
  return { at: from, atMs, seq: from, left: [], isErased: false, rows, ...where };
}

/** The choice for each recorded question: null if it was not seen, `open` without a verdict. */
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

const RULE = '─'.repeat(79);
/** Parts of Claude Code's screen: a command (CALL), the question about it (ASKS), and the input box without a question (BOX). */
const CALL = ['❯ test it', '', '● Bash(npm test)'];
const ASKS = [
  '',
  RULE,
  ' Bash command',
  '',
  '   npm test',
  '   Run the tests',
  '',
  ' Do you want to proceed?',
  ' ❯ 1. Yes',
  '   2. No',
];
const BOX = ['', RULE, '❯ ', RULE, '  ? for shortcuts'];
const RUN = ['  ⎿  3 tests passed', '', '● Bash(npm test)'];

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

  test.each([
    ['the same one where nothing happened meanwhile', [...CALL, ...BOX], [...CALL, ...ASKS], ['open']],
    ['another one where its command ran before', [...CALL, ...RUN, ...BOX], [...CALL, ...RUN, ...ASKS], [null, 'open']],
    ['another one where its command ran at once', [...CALL, ...BOX], [...CALL, ...RUN, ...ASKS], [null, 'open']],
  ])('is %s, with the same words and without a key', (_, between, then, wanted) => {
    const shown = [[...CALL, ...ASKS], between, then];
    const steps = shown.map((texts, at) => stepOf(1_000 + 120 * at, at + 1, texts));
    const { session } = chatOfSteps(steps, 'claude');
    const questions = session.messages.filter(({ kind }) => kind === 'permission');
    expect(questions.map(({ question }) => (question?.verdict ? question.verdict.choice : 'open'))).toEqual(wanted);
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
