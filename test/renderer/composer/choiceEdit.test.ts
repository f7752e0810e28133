import { describe, expect, test } from 'vitest';
import type { ChoiceKind, LineCompletion } from '../../../src-main/contract/completion.ts';
import { choiceEdit, commonStart, isWorthShowing, narrowed } from '../../../src-renderer/composer/choiceEdit.ts';

function completion(text: string, inserts: string[], kind: ChoiceKind = 'file'): LineCompletion {
  const choices = inserts.map((insert) => ({ insert, label: insert, kind }));
  return { from: text.lastIndexOf(' ') + 1, to: text.length, choices };
}

describe('a choice', () => {
  test.each([
    ['moon.txt', 'file', 'moon.txt '],
    ['src/', 'folder', 'src/'],
    ['"two words/', 'folder', '"two words/'],
    ['--color=', 'option', '--color='],
    ['git status', 'history', 'git status'],
  ] as const)('%s (%s) is put in as %j', (insert, kind, expected) => {
    const found = completion('x t', [insert], kind);
    const [choice] = found.choices;
    expect(choice && choiceEdit(found, choice)).toEqual({ from: 2, to: 3, insert: expected });
  });
});

describe('what is common', () => {
  test.each([
    ['cat t', ['tides', 'time'], 'ti'],
    ['cat ti', ['tides', 'time'], undefined],
    // A choice with the word inside its name is offered, but does not shorten the common part.
    ['cat t', ['tides', 'time', 'moontide'], 'ti'],
    ['cat T', ['tides', 'time'], undefined],
    ['cat a', ['a\\ b', 'a\\!c'], undefined],
    ['cat a', ['ab\\\\c', 'ab\\\\d'], 'ab\\\\'],
    ['cat "a', ['"a b"', '"a c"'], '"a '],
  ])('%j of %j is %j', (text, inserts, expected) => {
    const found = { ...completion(text, inserts), from: 4 };
    expect(commonStart(text, found)).toBe(expected);
  });

  test('leaves whole lines from history out', () => {
    const line = { insert: 'gulp', label: 'gulp', kind: 'history' as const };
    const found = completion('g', ['git', 'gist'], 'command');
    expect(commonStart('g', { ...found, choices: [line, ...found.choices] })).toBe('gi');
  });
});

test('typing on keeps what still fits, and any other change nothing', () => {
  const found = completion('cat t', ['tides', 'time']);
  expect(narrowed(found, 'cat tim', 7)?.choices.map(({ insert }) => insert)).toEqual(['time']);
  expect([narrowed(found, 'cat tx', 6), narrowed(found, 'cat ', 4)]).toEqual([undefined, undefined]);
});

test('the word itself is not offered', () => {
  expect(isWorthShowing('ls', completion('ls', ['ls']))).toBe(false);
  expect(isWorthShowing('ls', completion('ls', ['ls', 'lsof']))).toBe(true);
});
