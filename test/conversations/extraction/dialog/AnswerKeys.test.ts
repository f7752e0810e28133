import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ShownQuestion } from '../../../../src-main/contract/chat/extractor.ts';
import { AnswerKeys } from '../../../../src-main/conversations/extraction/dialog/AnswerKeys.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';

const LABELS = ['Yes', 'Yes, always (a)', 'Later', 'No (esc)'];
const question = (pointed: number | null, options = LABELS): ShownQuestion => ({ options, pointed, firstNumber: 1 });

function answer(keys: readonly string[], pointed: number | null = 0): string | null {
  const answers = new AnswerKeys();
  answers.shown(question(pointed), 0);
  for (const key of keys) answers.typed(key, 'user', 100);
  return answers.take(200).choice;
}

describe('what keys answer', () => {
  test.each([
    ['Return takes what the pointer is at', ['\r'], 'Yes'],
    ['a number', ['3'], 'Later'],
    ['a number and Return in one', ['3\r'], 'Later'],
    ['a letter that the option gives', ['a'], 'Yes, always (a)'],
    ['Esc where an option has it', ['\x1b'], 'No (esc)'],
    ['Ctrl+C', ['\x03'], 'Cancelled (Ctrl+C)'],
    ['an arrow that was not seen yet', ['\x1b[B', '\r'], null],
    ['an arrow that was cut', ['\x1b', '[B', '\r'], null],
    ['keys that nobody knows', ['\t', '\r'], null],
    ['a report of the focus is no key', ['\x1b[I', '\r'], 'Yes'],
    ['nothing', [], null],
  ])('%s', (_, keys, choice) => {
    expect(answer(keys)).toBe(choice);
  });

  test('an arrow is followed once the pointer is seen there', () => {
    const answers = new AnswerKeys();
    answers.shown(question(0), 0);
    answers.typed('\x1b[B', 'user', 100);
    answers.shown(question(1), 0);
    answers.typed('\r', 'agent:claude-desktop', 150);
    expect(answers.take(200)).toEqual({ choice: 'Yes, always (a)', by: 'agent:claude-desktop', atMs: 150 });
  });

  test('an arrow to the side moves among options beside each other', () => {
    const answers = new AnswerKeys();
    answers.shown(question(2), 0);
    answers.typed('\x1b[C', 'user', 600);
    answers.shown(question(3), 640);
    answers.typed('\r', 'user', 650);
    expect(answers.take(700).choice).toBe('No (esc)');
  });

  test('boxes that are ticked, once they are seen', () => {
    const answers = new AnswerKeys();
    answers.shown(question(0, ['[ ] Small', '[ ] Large']), 0);
    answers.typed(' ', 'user', 100);
    answers.shown(question(0, ['[✔] Small', '[ ] Large']), 0);
    answers.typed('\r', 'user', 2000);
    expect(answers.take(2100).choice).toBe('Small');
  });

  test('Return has decided: a key that comes before the screen shows that is too late', () => {
    const answers = new AnswerKeys();
    answers.shown(question(3), 0);
    answers.typed('\r', 'user', 600);
    answers.typed('1', 'user', 640);
    expect(answers.take(700)).toEqual({ choice: 'No (esc)', by: 'user', atMs: 600 });
  });

  test('Return that a program was deaf for has not decided', () => {
    const answers = new AnswerKeys();
    answers.shown(question(3), 0);
    answers.typed('\r', 'user', 40);
    answers.typed('1', 'user', 640);
    expect(answers.take(700).choice).toBe('Yes');
  });

  test('ignores keys before a question and after its end', () => {
    const answers = new AnswerKeys();
    answers.typed('2', 'user', 50);
    answers.shown(question(0), 0);
    expect(answers.take(100)).toEqual({ choice: null, by: null, atMs: 100 });
    answers.typed('2', 'user', 150);
    answers.shown(question(0), 0);
    expect(answers.take(200).by).toBeNull();
  });
});

/** A program's menu, which wraps around or not, and chooses at a digit or at Return. */
class Menu {
  pointed = 0;
  chosen: string | null = null;
  readonly #goesRound: boolean;
  readonly #isDirect: boolean;

  constructor(goesRound: boolean, isDirect: boolean) {
    this.#goesRound = goesRound;
    this.#isDirect = isDirect;
  }

  press(key: string): void {
    const last = LABELS.length - 1;
    const step = { '\x1b[A': -1, '\x1b[B': 1, '\t': 1, j: 1 }[key];
    if (step !== undefined) {
      const to = this.pointed + step;
      this.pointed = this.#goesRound ? (to + last + 1) % (last + 1) : Math.min(last, Math.max(0, to));
    } else if (/\d/.test(key)) {
      this.pointed = Number(key) - 1;
      if (this.#isDirect) this.chosen = LABELS[this.pointed] ?? null;
    } else if (key === '\r') this.chosen = LABELS[this.pointed] ?? null;
  }
}

test('finds the right choice or none in any menu, with any keys and any lag of the screen', () => {
  const keys = fc.array(
    fc.record({
      key: fc.constantFrom('\x1b[A', '\x1b[B', '\t', 'j', '1', '2', '3', '4', '\r', '\r'),
      afterMs: fc.integer({ min: 1, max: 2000 }),
    }),
    { maxLength: 12 },
  );
  const law = fc.property(
    keys,
    fc.boolean(),
    fc.boolean(),
    fc.integer({ min: 0, max: 900 }),
    (typed, round, direct, lagMs) => {
      const menu = new Menu(round, direct);
      const answers = new AnswerKeys();
      const due: { atMs: number; pointed: number }[] = [];
      let nowMs = 10_000;
      answers.shown(question(0), 0);
      for (const { key, afterMs } of typed) {
        nowMs += afterMs;
        for (; (due[0]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs; due.shift())
          answers.shown(question(due[0]?.pointed ?? 0), nowMs);
        answers.typed(key, 'user', nowMs);
        menu.press(key);
        due.push({ atMs: nowMs + lagMs, pointed: menu.pointed });
        if (menu.chosen !== null) break;
      }
      if (menu.chosen !== null) expect([menu.chosen, null]).toContain(answers.take(nowMs).choice);
    },
  );
  fc.assert(law, fuzzRuns(3000));
});
