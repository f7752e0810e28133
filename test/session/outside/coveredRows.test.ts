import { describe, expect, test } from 'vitest';
import { coveredRows, rowsNeededAbove } from '../../../src-main/session/outside/coveredRows.ts';
import { rowOf } from '../../support/frames.ts';
import { newKeyPair } from '../../support/newKeyPair.ts';

const { privateKey, publicKey } = newKeyPair();
const KEY = privateKey.trim().split('\n');
const PUBLIC = publicKey.trim().split('\n');

/** Lines as the emulator puts them into rows. */
function rowsOf(lines: readonly string[], cols: number, flags = true) {
  return lines.flatMap((line) =>
    (line.match(new RegExp(`.{1,${cols}}`, 'g')) ?? ['']).map((text, at) => rowOf(text, flags && at > 0)),
  );
}
const open = (rows: ReturnType<typeof rowsOf>, cols: number) =>
  coveredRows(rows, cols).map((units, at) => (rows[at]?.text.length ?? 0) - units.size);

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
});
