import { describe, expect, test } from 'vitest';
import { coveredFromTop, rowsNeededAbove, secretSpansInRows } from '../../src-main/redaction/secretSpansInRows.ts';
import { rowOf } from '../support/frames.ts';
import { newKeyPair } from '../support/newKeyPair.ts';

const { privateKey, publicKey } = newKeyPair();
const KEY = privateKey.trim().split('\n');
const PUBLIC = publicKey.trim().split('\n');

/** Rows of the emulator for these lines. */
function rowsOf(lines: readonly string[], cols: number, flags = true) {
  return lines.flatMap((line) =>
    (line.match(new RegExp(`.{1,${cols}}`, 'g')) ?? ['']).map((text, at) => rowOf(text, flags && at > 0)),
  );
}
const open = (rows: ReturnType<typeof rowsOf>, cols: number) =>
  secretSpansInRows(rows, cols).map((units, at) => (rows[at]?.text.length ?? 0) - units.size);

describe('rows of a screen', () => {
  test.each([80, 63, 60, 40, 24, 20])('a key is covered from its head on, at %i columns', (cols) => {
    const rows = rowsOf(['$ cat key', ...KEY, '$ '], cols);
    expect(open(rows, cols)).toEqual([9, ...rows.slice(1, -1).map(() => 0), 2]);
  });

  test.each([80, 60, 40, 30])('and where its head is not among them, wherever they begin, at %i columns', (cols) => {
    const key = rowsOf(KEY, cols);
    for (let first = 1; first < key.length - 1; first += 1) {
      const rows = [...key.slice(first), rowOf('$ ')];
      expect([first, open(rows, cols)]).toEqual([first, [...rows.slice(0, -1).map(() => 0), 2]]);
    }
  });

  test('where nobody says which rows go on, a full one does', () => {
    const rows = rowsOf(KEY, 60, false);
    expect(open(rows, 60)).toEqual(rows.map(() => 0));
  });

  test.each([
    ['a public key', PUBLIC],
    ['words', ['README', 'src', 'test', 'MyLongFileName1']],
    ['a name that looks like a line of a key', ['ReadTheNextLineOfTheFile2', 'and so on']],
    ['what looks like a key further down', ['x', ...PUBLIC.slice(1, 5)]],
    ['a hash', ['3f786850e387550fdab836ed7e6dc881de23001b'.repeat(2)]],
    ['nothing', ['', '']],
  ])('%s at the top is no key', (_, lines) => {
    expect(open(rowsOf(lines, 80), 80)).toEqual(lines.map(({ length }) => length));
  });

  test.each([
    ['text', [rowOf('$ ls'), rowOf('a b')], 0],
    ['a row that goes on', [rowOf('rest', true)], 256],
    ['the inside of a key', KEY.slice(3, 6).map((line) => rowOf(line)), 256],
  ])('what stands above %s is read as far as it matters', (_, rows, count) => {
    expect(rowsNeededAbove(rows)).toBe(count);
  });

  test.each([
    ['the end of a token', [rowOf('i9J0k1L2m3N4o5P6q7R8 rest', true), rowOf('$ ')], [5, 2]],
    ['over two rows', [rowOf('i9J0k1L2m3', true), rowOf('N4o5 rest', true), rowOf('$ ')], [0, 5, 2]],
    ['of one in a line of its own', [rowOf('i9J0k1L2m3N4o5P6q7R8')], [20]],
    ['a word', [rowOf('internationalisation of 2', true)], [25]],
    ['a number', [rowOf('1234567890123456 bytes', true)], [22]],
    ['a short id', [rowOf('a1b2c3 rest', true)], [11]],
  ])('at the top, where what stands above is not known: %s', (_, rows, left) => {
    const covered = coveredFromTop(rows, 80);
    expect(rows.map(({ text }, at) => text.length - (covered[at]?.size ?? 0))).toEqual(left);
  });
});
