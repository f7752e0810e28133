import { describe, expect, test } from 'vitest';
import { planLine } from '../../../src-main/mcp/exec/ClientLine.ts';
import { checkCommand } from '../../../src-main/mcp/exec/checkCommand.ts';
import { isEcho } from '../../../src-main/mcp/exec/isEcho.ts';
import { keyBytes, keySuggestions } from '../../../src-main/mcp/input/keyNames.ts';
import { mouseBytes } from '../../../src-main/mcp/input/mouseBytes.ts';

const usual = { applicationCursor: false };

test.each([
  ['Enter', '\r'],
  ['Tab', '\t'],
  ['Esc', '\x1b'],
  ['Backspace', '\x7f'],
  ['Ctrl+C', '\x03'],
  ['ctrl+c', '\x03'],
  ['Ctrl+[', '\x1b'],
  ['Ctrl+Space', '\0'],
  ['Alt+x', '\x1bx'],
  ['Ctrl+Alt+x', '\x1b\x18'],
  ['Shift+Tab', '\x1b[Z'],
  ['F1', '\x1bOP'],
  ['F5', '\x1b[15~'],
  ['F12', '\x1b[24~'],
  ['Shift+F1', '\x1b[1;2P'],
  ['Up', '\x1b[A'],
  ['Up*3', '\x1b[A\x1b[A\x1b[A'],
  ['Ctrl+Right', '\x1b[1;5C'],
  ['Home', '\x1b[H'],
  ['PgDn', '\x1b[6~'],
  ['Delete', '\x1b[3~'],
  ['Ctrl+Delete', '\x1b[3;5~'],
  ['a', 'a'],
  ['+', '+'],
  ['é', 'é'],
])('the key %s is sent as a keyboard sends it', (name, bytes) => {
  expect(keyBytes(name, usual)).toBe(bytes);
});

test('cursor keys follow the mode that the program asked for', () => {
  expect(keyBytes('Up', { applicationCursor: true })).toBe('\x1bOA');
  expect(keyBytes('Home', { applicationCursor: true })).toBe('\x1bOH');
  expect(keyBytes('Shift+Up', { applicationCursor: true })).toBe('\x1b[1;2A');
});

test.each(['Entr', 'Ctrl+', 'Shift+Enter', 'Hyper+x', 'Up*0', 'Up*1000', '', '\x1b', 'Ctrl+Ctrl+c'])(
  '%j is no key',
  (name) => {
    expect(keyBytes(name, usual)).toBeNull();
  },
);

test('a key that is none is told what is near', () => {
  expect(keySuggestions('Entr')[0]).toBe('Enter');
  expect(keySuggestions('PageDn')).toContain('PgDn');
});

test('the mouse is reported as SGR, from 1', () => {
  expect(mouseBytes({ action: 'click', row: 2, col: 9 })).toBe('\x1b[<0;10;3M\x1b[<0;10;3m');
  expect(mouseBytes({ action: 'scroll_down', row: 0, col: 0 })).toBe('\x1b[<65;1;1M');
});

describe('what a client types into a shell', () => {
  test.each([
    ['text and Return', '', 'rm x\r', ['rm x'], ''],
    ['the end of a line that was begun before', 'rm ', 'x\r', ['rm x'], ''],
    ['two lines in one write', '', 'a\rb\r', ['a', 'b'], ''],
    ['a paste and Return', '', '\x1b[200~a\rb\x1b[201~\r', ['a\nb'], ''],
    ['second thoughts', 'rm', '\x15ls\x7fx\r', ['lx'], ''],
    ['an empty line', '', '\r', [], ''],
    ['no Return', '', 'ls', [], 'ls'],
  ])('%s', (_, line, bytes, commands, left) => {
    expect(planLine(line, bytes)).toEqual({ type: 'known', commands, line: left });
  });

  test.each(['\t', '\x12', '\x1b[A', '\x0f', '\x18\x05', '\n'])('is not guessed when it holds %j', (key) => {
    expect(planLine('', `x${key}`)).toMatchObject({ type: 'unknown' });
  });
});

describe('a command', () => {
  test.each([
    ['a\tb', 'BAD_INPUT'],
    ['a\x1b[A', 'BAD_INPUT'],
    ['a\rb', 'BAD_INPUT'],
    ['a\u009bb', 'BAD_INPUT'],
    ['a\u2028b', 'BAD_INPUT'],
    ['\ud800', 'BAD_INPUT'],
    ['e\u0301', 'BAD_INPUT'],
    ['a\nb', 'BAD_INPUT'],
    ['  ', 'BAD_INPUT'],
    ['x'.repeat(8193), 'TOO_LARGE'],
  ])('%j is refused', (cmd, code) => {
    expect(() => checkCommand(cmd, false)).toThrow(expect.objectContaining({ code }));
  });

  test('loses the blanks around it, which would keep it out of the record', () => {
    expect(checkCommand('  ls -l \n', false)).toBe('ls -l');
  });

  test('of several lines is taken when that is asked for', () => {
    expect(checkCommand('a\nb', true)).toBe('a\nb');
  });

  test('is seen in the line only when it is all that stands there', () => {
    expect([
      isEcho('ls', 'ls'),
      isEcho('xls', 'ls'),
      isEcho('l', 'ls'),
      isEcho(null, 'ls'),
      isEcho('ls ', 'ls'),
    ]).toEqual([true, false, false, false, false]);
    expect(isEcho('for\n      x', 'for\n  x')).toBe(true);
  });
});
