import { describe, expect, test } from 'vitest';
import { findAgent } from '../../../../src-main/conversations/extraction/status/findAgent.ts';
import { simpleCommands } from '../../../../src-main/conversations/extraction/status/simpleCommands.ts';

const called = (program: string) => ({
  name: program,
  isProgram: (argv: readonly string[]) => argv.some((word) => word.replace(/.*\//, '') === program),
});
const known = [called('helper'), called('other'), { name: 'silent' }];

describe('findAgent', () => {
  test.each([
    ['a program', [['/usr/bin/helper', '--yes']], null, 'helper', 'process'],
    ['a script in its runtime', [['node', '/opt/bin/helper']], null, 'helper', 'process'],
    [
      'a launcher',
      [
        ['npm', 'exec', 'x'],
        ['sh', '-c', 'x'],
        ['node', '/x/helper'],
      ],
      null,
      'helper',
      'process',
    ],
    [
      'the outer one of two',
      [
        ['node', '/x/helper'],
        ['other', 'exec'],
      ],
      null,
      'helper',
      'process',
    ],
    ['the command, when no process tells', [['vim']], 'cd "my folder" && A=b other run', 'other', 'command'],
    ['the process rather than the command', [['helper']], 'other', 'helper', 'process'],
  ] as const)('finds %s', (_, argvs, command, name, by) => {
    expect(findAgent(argvs, command, known)).toMatchObject({ name, by });
  });

  test('nothing is found in what nobody knows', () => {
    expect(findAgent([['vim', 'notes'], []], 'ls -l', known)).toBeNull();
  });
});

test.each([
  ['a b', [['a', 'b']]],
  ['X=1 a; b|c && d', [['a'], ['b'], ['c'], ['d']]],
  ['a \'b c\' "d \\" e" f\\ g', [['a', 'b c', 'd " e', 'f g']]],
  ['a "" b', [['a', '', 'b']]],
  ["it's", [['its']]],
  ['', []],
])('the commands of %s', (line, commands) => {
  expect(simpleCommands(line)).toEqual(commands);
});
