import { expect, test } from 'vitest';
import { splitJoined } from '../../src-main/shells/splitJoined.ts';

const seen = (...rows: string[]) => rows.map((row) => ({ rows: [row], typed: null }));

test('finds the lines of a command where its rows end', () => {
  const rows = seen('for i in 1 2', 'do', '  echo $i', 'done');
  expect(splitJoined('for i in 1 2; do   echo $i; done', rows)).toEqual(['for i in 1 2', 'do', '  echo $i', 'done']);
});

test('takes the blanks at the end of a line from the history', () => {
  expect(splitJoined('for i in 1  ; do  echo; done', seen('for i in 1', 'do', 'echo', 'done'))).toEqual([
    'for i in 1  ',
    'do ',
    'echo',
    'done',
  ]);
});

test('undoes a continued line', () => {
  expect(splitJoined('echo a b', seen('echo a \\', 'b'))).toEqual(['echo a \\', 'b']);
});

test.each([
  ['a row that the history does not have', '{ echo a; }', seen('{', 'echo b', '}')],
  ['a blank row, whose blanks nobody knows', '{ echo a; }', seen('{', '', 'echo a', '}')],
  ['a comment that only the screen shows', '{ echo a; }', seen('{', '# why', 'echo a', '}')],
  ['rows that end before the entry does', '{ echo a; }; echo b', seen('{', 'echo a', '}')],
])('proves nothing by %s', (_, entry, rows) => {
  expect(splitJoined(entry, rows)).toBeNull();
});

test('knows a comment that the keys entered', () => {
  const rows = [...seen('{'), { rows: ['# why'], typed: '# why ' }, ...seen('echo a', '}')];
  expect(splitJoined('{ echo a; }', rows)).toEqual(['{', '# why ', 'echo a', '}']);
});
