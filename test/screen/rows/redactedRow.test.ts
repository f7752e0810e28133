import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownCol, type RedactedRow } from '../../../src-main/screen/rows/RedactedRow.ts';
import { JoinedText } from '../../../src-main/screen/waits/searchLines.ts';
import { rowOf } from '../../support/frames.ts';

/** A text and its redacted row, in which each `<…>` becomes `[x]`. */
function toldOf(marked: string): { text: string; row: RedactedRow } {
  const standIns: RedactedRow['standIns'][number][] = [];
  let text = '';
  let told = '';
  for (const [, hidden, plain = ''] of marked.matchAll(/<([^>]*)>|([^<]+)/g)) {
    if (hidden !== undefined)
      standIns.push({ at: told.length, chars: 3, from: text.length, to: text.length + hidden.length });
    text += hidden ?? plain;
    told += hidden === undefined ? plain : '[x]';
  }
  return { text, row: { text: told, standIns } };
}

function joined(
  rows: readonly string[],
  { wrapped = [], firstNew = 0 }: { wrapped?: number[]; firstNew?: number } = {},
) {
  const told = rows.map(toldOf);
  const lines = told.map(({ text }, at) => rowOf(text, wrapped.includes(at)));
  const newness = rows.map((_, at) => (at < firstNew ? null : { head: 0, tail: 0 }));
  const text = new JoinedText(
    { lines, newness, above: 0 },
    told.map(({ row }) => row),
  );
  const find = (pattern: RegExp) => {
    const match = pattern.exec(text.text);
    if (!match) throw new Error(`no ${pattern} in ${text.text}`);
    return text.match({ index: match.index, text: match[0], groups: match.slice(1) }, 7);
  };
  return { text, find };
}

describe('a told row', () => {
  const { row } = toldOf('ab <secret> cd <more>');

  test.each([
    [0, 0, 0],
    [3, 3, 3], // before the placeholder
    [4, 3, 9],
    [5, 3, 9],
    [6, 9, 9], // after it
    [8, 11, 11],
    [10, 13, 13],
    [11, 13, 17],
    [13, 17, 17],
  ])('has at %i what stands from %i to %i of its own', (told, start, end) => {
    expect([ownCol(row, told, 'start'), ownCol(row, told, 'end')]).toEqual([start, end]);
  });
});

describe('told lines', () => {
  test('are searched as they are told, and a match has its place on the screen', () => {
    const { text, find } = joined(['one', 'a <secret> b <more> c']);
    expect(text.text).toBe('one\na [x] b [x] c');
    expect(find(/b (.)/)).toEqual({
      text: 'b [',
      groups: ['['],
      row: 1,
      col: 9,
      resume: { seq: 7, row: 1, col: 15 },
      redactions: 1,
    });
    expect(find(/c/)).toEqual({ text: 'c', groups: [], row: 1, col: 16, resume: { seq: 7, row: 1, col: 17 } });
    expect(find(/x\] b/)).toMatchObject({ row: 1, col: 2, redactions: 1 });
  });

  test('hold one secret that goes on over rows, in how many pieces it is told', () => {
    const { text, find } = joined(['key <secret>', '<goes on>', '<and ends> here', '<another>'], { wrapped: [1, 2] });
    expect(text.text).toBe('key [x][x][x] here\n[x]');
    expect(find(/key .*/)).toMatchObject({ row: 0, col: 0, resume: { row: 2, col: 13 }, redactions: 1 });
    expect(find(/x[\s\S]*/)).toMatchObject({ row: 0, col: 4, resume: { row: 3, col: 7 }, redactions: 2 });
  });

  test('are new where what they stand for is', () => {
    const { text } = joined(['<old>', 'a<new>'], { firstNew: 1 });
    expect([text.isNew(0, 3), text.isNew(1, 2), text.isNew(4, 5), text.isNew(6, 7), text.isNew(0, 6)]).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  test('without anything to hide are as without being told (law)', () => {
    const some = fc.array(fc.constantFrom('', 'a', 'bc', 'a b'), { minLength: 1, maxLength: 5 });
    const newness = fc.option(fc.record({ head: fc.nat(2), tail: fc.nat(2) }));
    fc.assert(
      fc.property(some, fc.infiniteStream(newness), fc.infiniteStream(fc.boolean()), (texts, newnesses, wraps) => {
        const rows = texts.map((text, at) => rowOf(text, at > 0 && wraps.next().value === true));
        const lines = { lines: rows, newness: rows.map(() => newnesses.next().value ?? null), above: 1 };
        const plain = new JoinedText(lines);
        const told = new JoinedText(
          lines,
          rows.map(({ text }) => ({ text, standIns: [] })),
        );
        expect(told.text).toBe(plain.text);
        for (let from = 0; from <= plain.text.length; from += 1)
          for (let to = from; to <= plain.text.length; to += 1) {
            const found = { index: from, text: plain.text.slice(from, to), groups: [] };
            expect([told.isNew(from, to), told.match(found, 1)]).toEqual([
              plain.isNew(from, to),
              plain.match(found, 1),
            ]);
          }
      }),
    );
  });
});
