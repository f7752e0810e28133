import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FrameRow } from '../../src-main/contract/screen/frame.ts';
import { coveredLines } from '../../src-main/redaction/redactedLines.ts';
import { redactRows } from '../../src-main/redaction/redactRows.ts';
import { secretSpansInRows } from '../../src-main/redaction/secretSpansInRows.ts';
import { rowOf } from '../support/frames.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { newKeyPair } from '../support/newKeyPair.ts';

const { privateKey, publicKey } = newKeyPair();
const KEY = privateKey.trim().split('\n');
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
const COLS = 80;

const rowsOf = (texts: readonly string[]) => texts.map((text) => rowOf(text));
const lastOf = (rows: readonly FrameRow[]) => (count: number) => rows.slice(Math.max(0, rows.length - count));

interface Known {
  left?: number;
  above?: readonly FrameRow[];
  before?: readonly FrameRow[];
}

/** The redacted texts of rows; null when nothing was redacted. */
function texts(rows: readonly FrameRow[], { left = 0, above = [], before = [] }: Known = {}): string[] | null {
  const told = redactRows(rows, { cols: COLS, left, above: lastOf(above), before: lastOf(before) });
  return told?.map(({ text }) => text) ?? null;
}

describe('rows', () => {
  test('without a secret are told as they are', () => {
    expect(texts(rowsOf(['$ ls', 'README.md', 'password:']))).toBeNull();
  });

  test('have in place of a secret what answers have', () => {
    expect(texts(rowsOf([`a ${TOKEN} b`, 'x', ...KEY.slice(0, 3)]))).toEqual([
      'a [redacted] b',
      'x',
      '[redacted]',
      '[redacted]',
      '[redacted]',
    ]);
  });

  test('say what stands for which part of them', () => {
    const [told] =
      redactRows(rowsOf([`a ${TOKEN} b`]), { cols: COLS, left: 0, above: () => [], before: () => [] }) ?? [];
    expect(told?.standIns).toEqual([{ at: 2, chars: 10, from: 2, to: 2 + TOKEN.length }]);
  });

  test('go on from what stands above them', () => {
    const rows = [rowOf(`${TOKEN.slice(20)} rest`, true), rowOf('$ ')];
    expect(texts(rows, { above: rowsOf(['x', `token ${TOKEN.slice(0, 20)}`]) })).toEqual(['[redacted] rest', '$ ']);
    expect(texts(rows, { above: rowsOf(['x', 'no token']) })).toBeNull();
  });

  test.each([3, 8, 20])("are a key's inside %i lines below its head, and a certificate's are not", (first) => {
    const [own, other] = [KEY, publicKey.trim().split('\n')].map((lines) => ({
      rows: rowsOf([lines[1] ?? '', 'x'.repeat(10), '$ ']),
      above: rowsOf([lines[0] ?? '', ...Array.from({ length: first }, () => lines[1] ?? '')]),
    }));
    expect(texts(own?.rows ?? [], { above: own?.above ?? [] })?.[0]).toBe('[redacted]');
    expect(texts(other?.rows ?? [], { above: other?.above ?? [] })).toBeNull();
  });

  test('that have left go on from what left before, and are what they look like alone', () => {
    const screen = rowsOf(['$ clear', 'new']);
    const rest = rowOf(`${TOKEN.slice(20)} rest`, true);
    const before = rowsOf([`token ${TOKEN.slice(0, 20)}`]);
    expect(texts([rest, ...screen], { left: 1, before })).toEqual(['[redacted] rest', '$ clear', 'new']);
    const inside = rowsOf(KEY.slice(3, 6));
    expect(texts([...inside, ...screen], { left: 3, before: rowsOf(['other']) })?.slice(0, 3)).toEqual(
      inside.map(() => '[redacted]'),
    );
    // The screen need not continue these rows.
    expect(texts([rowOf('left'), ...inside], { left: 1 })).toEqual(['left', ...inside.map(() => '[redacted]')]);
  });

  test('are covered line by line as they are when all are looked through at once (law)', () => {
    const tokens = [
      TOKEN,
      `gldt-${'aB3-'.repeat(6)}`,
      `eyJ${'hbGci'.repeat(4)}.eyJ${'zdWIi'.repeat(4)}.${'c2ln'.repeat(8)}`,
    ];
    const token = fc.constantFrom(...tokens);
    const part = fc.tuple(token, fc.nat(60), fc.nat(60)).map(([text, from, length]) => text.slice(from, from + length));
    const words = fc.constantFrom(
      '',
      'words',
      'x'.repeat(20),
      'key: value1234',
      'password=',
      'hunter2hunter2',
      'GITHUB_TO',
      'KEN=abc123def456',
      '   ',
      'Authorization: Bearer',
      'a1B2c3D4e5F6g7H8',
      'git://me:',
      'pass@host',
      ...KEY.slice(0, 3),
      KEY.at(-1) ?? '',
    );
    const text = fc.array(fc.oneof(token, part, words), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
    const row = fc.tuple(fc.constantFrom('', ' ', '    '), text, fc.constantFrom('', ' '), fc.boolean());
    const rows = fc.array(
      row.map(([before, own, after, wrapped]) => rowOf(before + own + after, wrapped)),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(rows, fc.constantFrom(20, 40, 80), (own, cols) => {
        const all = [rowOf('the top'), ...own]; // keeps the inside of a key off the top row, which has its own rule
        const isWrapped = (at: number) => all[at]?.wrapped === true || (all[at - 1]?.text.length ?? 0) >= cols;
        const atOnce = coveredLines(
          all.map((one) => one.text),
          { isWrapped },
        );
        expect(secretSpansInRows(all, cols)).toEqual(atOnce);
        expect(secretSpansInRows(all, cols)).toEqual(atOnce); // from the cache
      }),
      fuzzRuns(3000),
    );
  });
});
