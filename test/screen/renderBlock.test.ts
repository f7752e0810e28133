import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlockRenderer, type RenderedLine, type RenderSpec } from '../../src-main/screen/emulator/BlockRenderer.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

const SIZE = { cols: 20, rows: 6, startRow: 0, resizes: [] };

function render(output: string, spec: Partial<RenderSpec> = {}, chunkBytes = Number.POSITIVE_INFINITY): RenderedLine[] {
  const bytes = Buffer.from(output);
  const renderer = new BlockRenderer({ ...SIZE, ...spec });
  const lines: RenderedLine[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    lines.push(...renderer.feed(bytes.subarray(at, at + chunkBytes)));
  lines.push(...renderer.end());
  renderer.dispose();
  return lines;
}

const texts = (output: string, spec?: Partial<RenderSpec>) => render(output, spec).map((line) => line.text);
const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => String(from + n));

describe('the lines of a block', () => {
  test('are those that scrolled off and then those on the screen', () => {
    expect(texts(`${count(1, 50).join('\r\n')}\r\n`)).toEqual(count(1, 50));
  });

  test('are whole where the screen wrapped them', () => {
    const long = 'abcdefghij'.repeat(13);
    expect(texts(`${long}\r\nnext\r\n${'\r\n'.repeat(6)}${long}`)).toEqual([long, 'next', ...Array(6).fill(''), long]);
  });

  test('show where the cursor was sent', () => {
    expect(texts('one\r\ntwo\r\nthree\r\n\x1b[2A\x1b[2KTWO\r\n\x1b[1;1HO')).toEqual(['One', 'TWO', 'three']);
  });

  test('keep a look from its beginning to its end', () => {
    expect(render('a\x1b[1;31mred\r\nmore\x1b[m end')).toEqual([
      { text: 'ared', sgr: 'a\x1b[0;1;31mred\x1b[m' },
      { text: 'more end', sgr: '\x1b[0;1;31mmore\x1b[m end' },
    ]);
  });

  test('end without the empty rows of the screen', () => {
    expect(texts('\r\none\r\n\r\ntwo\r\n\r\n')).toEqual(['', 'one', '', 'two']);
  });

  test('begin at the row where the cursor was, and do not show the rows above', () => {
    expect(texts('one\r\n\x1b[5;1Htwo', { startRow: 3 })).toEqual(['one', 'two']);
    expect(texts('one\r\n\x1b[2;1Habove', { startRow: 3 })).toEqual(['above', '', 'one']);
  });

  test('survive ED 3, RIS and CSI S', () => {
    const eight = `${count(1, 8).join('\r\n')}\r\n`;
    expect(texts(`${eight}\x1b[3Jend`)).toEqual([...count(1, 8), 'end']);
    expect(texts(`${eight}\x1bcend`)).toEqual([...count(1, 3), 'end']);
    expect(texts(`${eight}\x1b[2Send`)).toEqual([...count(1, 8), '', '', 'end']);
  });

  test('are those of a program on the alternate screen when there is nothing else', () => {
    const pager = '\x1b[?1049h\x1b[Hpage one\r\nfoot\x1b[Hpage two\x1b[?1049l';
    expect(texts(pager)).toEqual(['page two', 'foot']);
    expect(texts(`printed\r\n${pager}`)).toEqual(['printed']);
    expect(texts('\x1b[?1049h\x1b[Hstill there')).toEqual(['still there']);
  });

  test('follow a resize in the middle', () => {
    const output = `${'x'.repeat(15)}\r\n${'y'.repeat(15)}`;
    expect(texts(output, { resizes: [{ offset: 17, cols: 10, rows: 6 }] })).toEqual(['x'.repeat(15), 'y'.repeat(15)]);
  });

  test('are all there when a few bytes scroll thousands of rows', () => {
    const rows = render('a\x1b[999b'.repeat(500), { cols: 20, rows: 6 });
    expect(rows.map((line) => line.text).join('')).toBe('a'.repeat(121 * 500));
  });

  test('of plain text are its lines, wherever it is cut', () => {
    const line = fc.string({ unit: 'grapheme-ascii', maxLength: 50 }).map((text) => `${text}.`);
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 100 }),
        (lines, chunkBytes) => {
          expect(render(lines.join('\r\n'), {}, chunkBytes).map(({ text }) => text)).toEqual(lines);
        },
      ),
      fuzzRuns(300),
    );
  });

  test('are given as they come, so that a long block is not held', () => {
    const renderer = new BlockRenderer(SIZE);
    const given = Array.from({ length: 100 }, (_, n) => renderer.feed(Buffer.from(`${n}\r\n`.repeat(1000))).length);
    renderer.dispose();
    expect(given.every((lines) => lines > 900)).toBe(true);
  });
});
