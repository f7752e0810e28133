import { describe, expect, test } from 'vitest';
import { findDialog } from '../../../../src-main/conversations/extraction/dialog/findDialog.ts';
import { plainSnapshot } from '../../../support/snapshots.ts';

const RULE = '─'.repeat(100);
const find = (rows: readonly string[]) => findDialog(plainSnapshot(rows.join('\n')));

describe('questions by their shape', () => {
  test.each([
    ['numbers with a pointer and keys', ['What now?', '❯ 1. Yes', '  2. No', '', 'Esc to cancel'], ['Yes', 'No'], 0],
    [
      'the pointer at the last option',
      ['What now?', '  1. Yes', '› 2. No', 'Press enter to confirm'],
      ['Yes', 'No'],
      1,
    ],
    ['no keys at the foot of the screen', ['Go on?', '', '   ❯ 1. Yes', '     2. No', ''], ['Yes', 'No'], 0],
    [
      'a box with a footer below it',
      ['╭──────╮', '│ Trust this folder?', '│ ● 1. Yes │', '│   2. No  │', '╰──────╯', ' /home   no sandbox'],
      ['Yes', 'No'],
      0,
    ],
    [
      'a box with a margin',
      [' ╭──────╮', ' │ Loop?    │', ' │ ● 1. Keep │', ' │   2. Stop │', ' ╰──────╯'],
      ['Keep', 'Stop'],
      0,
    ],
    [
      'what options mean, and a rule between them',
      [
        'Which?',
        '❯ 1. Red',
        '     Warm',
        '  2. Blue',
        '     Cold',
        RULE,
        '  3. Chat',
        '',
        'Enter to select · Esc to cancel',
      ],
      ['Red', 'Blue', 'Chat'],
      0,
    ],
    [
      'labels without numbers',
      ['Theme', '  Dark', '→ Light', '  Auto', '', '↑↓ to navigate, enter to select'],
      ['Dark', 'Light', 'Auto'],
      1,
    ],
    [
      'numbers without a pointer',
      ['Pick', ' 1. Dark', ' 2. Light', ' ↑↓ select  enter submit  esc dismiss'],
      ['Dark', 'Light'],
      null,
    ],
    [
      'labels beside each other',
      [
        '  ┃  △ Permission required',
        '  ┃  $ ls',
        '  ┃   Allow once   Allow always   Reject        ⇆ select  enter confirm',
      ],
      ['Allow once', 'Allow always', 'Reject'],
      null,
    ],
    [
      'a wrapped option',
      [
        'Go?',
        '❯ 1. Yes',
        `  2. Yes, ${'and so on '.repeat(8)}ever`,
        '     for this session',
        '  3. No',
        'Esc to cancel',
      ],
      ['Yes', `Yes, ${'and so on '.repeat(8)}ever for this session`, 'No'],
      0,
    ],
    [
      'a wrapped option in characters of two columns',
      [
        'Go?',
        '❯ 1. はい',
        `  2. はい、${'今後は確認なしで '.repeat(5)}`,
        '     実行する',
        '  3. いいえ',
        'Esc to cancel',
      ],
      ['はい', `はい、${'今後は確認なしで '.repeat(5)}実行する`, 'いいえ'],
      0,
    ],
  ])('%s', (_, rows, options, pointed) => {
    expect(find(rows)).toMatchObject({ options, pointed });
  });

  test('a question taller than the screen begins at its top', () => {
    const rows = [
      '  33 line 33',
      '  34 line 34',
      ' Create it?',
      ' ❯ 1. Yes',
      '   2. No',
      ' ↑ 36 more lines',
      ' Esc to cancel',
    ];
    expect(find(rows)).toMatchObject({ from: 0, to: rows.length, options: ['Yes', 'No'] });
  });

  test('excludes the text above a rule', () => {
    expect(
      find(['● Two ways.', '', RULE, ' Which one?', '', '❯ 1. Left', '  2. Right', 'Esc to cancel']),
    ).toMatchObject({
      from: 2,
      text: 'Which one?\n1. Left\n2. Right',
    });
  });
});

describe('no questions', () => {
  test.each([
    [
      'a list in an answer',
      ['● Do this:', '', '  1. Open it', '  2. Close it', '', RULE, '❯ ', RULE, '  ? for shortcuts'],
    ],
    ['a list in an answer that is still drawn', ['● 1. Open it', '  2. Close it', '']],
    [
      'a list above a row that says how to interrupt',
      ['  1. Open it', '  2. Close it', '', '✻ Working… (esc to interrupt)'],
    ],
    ['a list above a spinner', ['✦ 1. Open it', '  2. Close it', '', ' ⠋ Thinking... (esc to cancel, 0s)']],
    ['a prompt with a list', ['❯ 1. open it', '  2. close it', '', '● Done.', '', RULE, '❯ ', RULE]],
    ['a draft with a list', [RULE, '❯ 1. open it', '  2. close it', RULE, '  ? for shortcuts']],
    [
      'a menu of commands over the input',
      ['❯ /help   Show help', '  /clear  Forget', RULE, '❯ /', RULE, '  Esc to cancel'],
    ],
    [
      'a menu of commands under the input',
      ['› /mo', '', '› /model   choose a model', '  /mode    choose a mode', '', 'esc to close'],
    ],
    ['files to complete', ['> @src', '❯ @src/a.ts', '  @src/b.ts', 'enter to select · esc to cancel']],
    [
      'an answered question in the scrollback of a shell',
      ['Go?', '❯ 1. Yes', '  2. No', 'Esc to cancel', 'user@host:~$ ls', 'a b c'],
    ],
    ['a quote', ['> 1. first', '> 2. second', '', 'said he.']],
    ['one option alone', ['Go on?', '❯ 1. Yes', 'Esc to cancel']],
  ])('%s', (_, rows) => {
    expect(find(rows)).toBeNull();
  });
});
