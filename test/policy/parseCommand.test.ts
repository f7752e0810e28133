import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../src-main/policy/parseCommand.ts';

function argvs(text: string): unknown {
  const parsed = parseCommand(text);
  if (!('commands' in parsed)) return `${parsed.construct} at ${parsed.at}`;
  return parsed.commands.map(({ words }) => words.map((word) => word.text));
}

describe('a command', () => {
  test.for<[string, string[][]]>([
    ['a  b   c ', [['a', 'b', 'c']]],
    ['a \'b c\' "d e" f\\ g', [['a', 'b c', 'd e', 'f g']]],
    ["a '' \"\" x''y", [['a', '', '', 'xy']]],
    ['a "b\\"c\\\\d\\$e\\`f\\g"', [['a', 'b"c\\d$e`f\\g']]],
    ["a 'b\\' \\'c\\\"", [['a', 'b\\', '\'c"']]],
    ['a\'b\'"c"\\d', [['abcd']]],
    ["a '$(x) `y` *?[z] {a,b} ~ # ; | & > <'", [['a', '$(x) `y` *?[z] {a,b} ~ # ; | & > <']]],
    ['a;b;c', [['a'], ['b'], ['c']]],
    ['a && b || c | d\ne', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['a x=y 1 2', [['a', 'x=y', '1', '2']]],
    ['a b>c d', [['a', 'b', 'd']]],
    ['>x a', [['a']]],
    ['a \'é\' "日本"', [['a', 'é', '日本']]],
  ])('%j has these words', ([text, expected]) => {
    expect(argvs(text)).toEqual(expected);
  });

  test('keeps what stands between its parts, its redirections and how it was written', () => {
    const parsed = parseCommand("a 2>&1 >'x y'  && b\\c <z");
    expect('commands' in parsed && parsed.commands).toEqual([
      {
        before: null,
        words: [{ text: 'a', isPlain: true }],
        redirects: [
          { operator: '>&', fd: 2, target: '1' },
          { operator: '>', fd: null, target: 'x y' },
        ],
        source: "a 2>&1 >'x y'",
      },
      {
        before: '&&',
        words: [{ text: 'bc', isPlain: false }],
        redirects: [{ operator: '<', fd: null, target: 'z' }],
        source: 'b\\c <z',
      },
    ]);
  });

  test.for([
    ['a $(b)', 'command_substitution at 2'],
    ['a `b`', 'command_substitution at 2'],
    ['a "$(b)"', 'command_substitution at 3'],
    ['a $b', 'parameter_expansion at 2'],
    ['a <(b)', 'process_substitution at 2'],
    ['a *', 'glob at 2'],
    ['a b?', 'glob at 3'],
    ['a [b]', 'glob at 2'],
    ['a {b}', 'brace at 2'],
    ['a ~', 'tilde at 2'],
    ['a b^', 'caret at 3'],
    ['a =b', 'equals_expansion at 2'],
    ["a ''=b", 'equals_expansion at 4'],
    ['a b=""=c', 'equals_expansion at 6'],
    ['a #b', 'comment at 2'],
    ['(a)', 'subshell at 0'],
    ['a (b)', 'subshell at 2'],
    ['a & b', 'background at 2'],
    ['a |& b', 'pipe_stderr at 2'],
    ['a <<b', 'heredoc at 2'],
    ['a <<<b', 'heredoc at 2'],
    ['a <>b', 'redirect at 2'],
    ['a 12>b', 'redirect at 2'],
    ['a 2>&1> b', 'redirect at 5'],
    ['a 2>&1&>b', 'redirect at 5'],
    ['a > 12>b', 'redirect at 4'],
    ['a > 1<b', 'redirect at 4'],
    ['a; b >c 1<d', 'redirect at 2'],
    ['a &>c 2<d', 'redirect at 0'],
    ['a 1<b | c', 'redirect at 0'],
    ['a | b 0>c', 'redirect at 3'],
    ['a;&>b c', 'compound at 1'],
    ['a b\\\nc', 'line_continuation at 3'],
    ['a \\;', 'escaped_operator at 2'],
    ['a b\\', 'trailing_backslash at 3'],
    ["a 'b", 'unclosed_quote at 2'],
    ['a "b', 'unclosed_quote at 2'],
    ["a 'b''c'", 'doubled_quote at 4'],
    ["a 'b\nc'", 'quoted_newline at 2'],
    ['a ;; b', 'empty_command at 3'],
    ['', 'empty_command at 0'],
    ['if a', 'compound at 0'],
    ['a; time b', 'compound at 2'],
    ['A=b c', 'assignment at 0'],
    ['%1', 'command_word at 0'],
    ['-a', 'command_word at 0'],
    ["a '!'", 'history_expansion at 3'],
    [' a', 'leading_space at 0'],
    ['a\tb', 'control_character at 1'],
    ["a '\u200b'", 'invisible_character at 3'],
    ["a 'e\u0301'", 'not_nfc at 0'],
    ['a é', 'non_ascii at 2'],
  ] as const)('%j is not understood, and what and where is told: %s', ([text, expected]) => {
    expect(argvs(text)).toBe(expected);
  });
});
