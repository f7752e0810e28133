import fc from 'fast-check';

/** Programs that the law's policy allows, one that it does not, and words that look like other things. */
export const PROGRAMS = ['p1', 'ls', 'git', 'p2', 'p1x', 'a'];

const WORDS = [
  'p1',
  'ls',
  'git',
  'log',
  'p2',
  'a',
  'ab',
  'b.c',
  '-rf',
  '--opt=a',
  'a=b',
  'HEAD',
  '=p1',
  '=ls',
  '!p2',
  '!!',
  '*',
  '$HOME',
  '1',
  '2',
  'x:y',
  '@',
  '%',
  '..',
  './a',
  'é',
  'if',
  'do',
];
const SIGNS = [...'\'"\\$`~^#!*?[]{}()<>&|;=%@-+,:./ \n\t\0a12'];
const JOINS = [
  ' ',
  ' ',
  ' ',
  ' ',
  '  ',
  '',
  ';',
  ' ; ',
  '&&',
  ' && ',
  '||',
  ' | ',
  '\n',
  "'",
  '"',
  '\\',
  '\\ ',
  "''",
  '""',
  '; ls ',
  ' && p1 ',
  ' || ls ',
  '|git log ',
  ' | p1 ',
  '\nls ',
  ' >a ',
  ' 2>&1',
  ' <a',
  '=',
  '=',
];
const QUOTED = [
  "'a b'",
  '"a b"',
  "'$x'",
  '"!p2"',
  '"!!"',
  "'!!'",
  '"$HOME"',
  '"$(p2)"',
  '"`p2`"',
  '"a\'b"',
  "'*'",
  '"\\""',
  '"\\a"',
  '"~"',
  "'#'",
  '\\$',
  '\\*',
  '\\~',
  "'`'",
  '"^"',
  "'a;b'",
  "'é'",
  '"{a,b}"',
  "'\\'",
];

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 3, arbitrary: fc.constantFrom(...QUOTED) },
  { weight: 2, arbitrary: fc.constantFrom(...SIGNS) },
);

/** Strings of shell signs and words, weighted so that some of them are commands. */
export const randomCommand: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom('p1', 'ls', 'git log', 'p1 a') }, { weight: 1, arbitrary: piece }),
    fc.array(fc.tuple(fc.constantFrom(...JOINS), piece), { minLength: 1, maxLength: 7 }),
  )
  .map(([first, rest]) => first + rest.map(([join, text]) => join + text).join(''));

/** Strings of signs only. */
export const randomSigns: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...SIGNS, 'p1', 'ls', ' '), { minLength: 1, maxLength: 10 })
  .map((parts) => parts.join(''));

const OPERATORS = ['>', '>>', '>|', '>&', '<', '<&', '&>', '&>>', '<>', '<<'];
const TARGETS = ['a', 'ab', '1', '2', '12', '-', '1a', "'1'", '\\1', 'a-', '.'];

/** A program with redirections, adjacent and apart. */
export const randomRedirects: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.constantFrom(' ', ' ', '', ';', '|'),
      fc.constantFrom('', '', '1', '2', '12', 'a', 'ls'),
      fc.constantFrom(...OPERATORS),
      fc.constantFrom('', '', ' '),
      fc.constantFrom(...TARGETS),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => `ls${parts.map((part) => part.join('')).join('')}`);
