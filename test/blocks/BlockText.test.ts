import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlockText } from '../../src-main/blocks/BlockText.ts';
import { INDEX_EVERY_LINES } from '../../src-main/contract/block.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { vtStream } from '../support/vtStreams.ts';
import { feedStyled, feedText, plain } from './feedText.ts';

const text = (raw: string) => feedText([Buffer.from(raw)]).text;

describe('a line as it looks after', () => {
  test.each([
    ['line feeds and CR LF', 'a\r\nb\nc\r\r\n', 'a\nb\nc\n'],
    ['no line feed at the end', 'a\r\nb', 'a\nb'],
    ['VT, FF, NEL and IND', 'a\vb\fc\x1bEd\x1bDe\u0085f', 'a\nb\nc\nd\ne\nf'],
    ['CR and a shorter text', '100%\r20%\n', '20%%\n'],
    ['CR and EL', '100%\r\x1b[K20%\n', '20%\n'],
    ['CR alone at the end', 'kept\r', 'kept'],
    ['EL 2 and CHA', 'abc\x1b[2K\x1b[1Gd\n', 'd\n'],
    ['EL 1', 'abcdef\x1b[3D\x1b[1Kx\n', '   xef\n'],
    ['BS over text', 'abc\b\bX\n', 'aXc\n'],
    ['man pages', 'N\bNA\bAM\bME\bE\n', 'NAME\n'],
    ['BS at the start', '\b\ba\n', 'a\n'],
    ['tabs', 'a\tbc\t1234567\t8\n', 'a       bc      1234567 8\n'],
    ['a tab behind wide characters', '漢字\tx\n', '漢字    x\n'],
    ['a tab over text', 'abcdefghij\r\tX\n', 'abcdefghXj\n'],
    ['CUF beyond the end', 'a\x1b[3Cb\n', 'a   b\n'],
    ['CUF without bounds', '\x1b[999999Cb\n', `${' '.repeat(79)}b\n`],
    ['CUF and nothing printed', 'a\x1b[9C\n', 'a\n'],
    ['CUB and CHA', 'abcdef\x1b[2DX\x1b[2GY\n', 'aYcdXf\n'],
    ['ECH', 'abcdef\x1b[4D\x1b[2X\n', 'ab  ef\n'],
    ['ECH to the end', 'abcdef\x1b[4D\x1b[9X\n', 'ab\n'],
    ['DCH', 'abcdef\x1b[4D\x1b[2P\n', 'abef\n'],
    ['ICH', 'abcdef\x1b[4D\x1b[2@XY\n', 'abXYcdef\n'],
    ['REP', '=\x1b[4b\n', '=====\n'],
    ['overprinted wide characters', '漢字\r-\n', '- 字\n'],
    ['a wide character over narrow ones', 'abcd\r漢\n', '漢cd\n'],
    ['a combining mark after a move', 'ab\be\u0301\n', 'ae\u0301\n'],
    ['a family that is overprinted', '👩‍👩‍👧x\r..y\n', '..yx\n'.replace('yx', 'y')],
    [
      'SGR, links, titles and queries',
      '\x1b[1;31ma\x1b[0m\x1b]8;;http://x\x07b\x1b]8;;\x1b\\\x1b]0;t\x07\x1b[6nc\x1bP+q\x1b\\d\x1b_x\x1b\\\n',
      'abcd\n',
    ],
    ['line drawing by G0, by G1 and back', '\x1b(0qx\x1b(B-\x1b)0\x0eq\x0fq\n', '─│-─q\n'],
    ['the alternate screen', 'a\x1b[?1049hfull\nscreen\x1b[?1049lb\n', 'ab\n'],
    ['a BOM', '\ufeffa\n', '\ufeffa\n'],
    ['a sequence that is cut off by another', '\x1b[3\x1b[31ma\x1b]0;x\x1b[mb\x18c\n', 'abc\n'],
    ['a line feed inside of a sequence', '\x1b[3\n1ma\n', '\na\n'],
  ])('%s', (_, raw, expected) => {
    expect(text(raw)).toBe(expected);
    expect(plain(feedStyled([Buffer.from(raw)])).join('\n')).toBe(expected.replace(/\n$/, ''));
  });
});

describe('padding before a prompt', () => {
  const mark = (char: string) => `\x1b[1m\x1b[7m${char}\x1b[27m\x1b[1m\x1b[0m${' '.repeat(79)}\r \r`;

  test.each([
    ['after a line without its end', `foo${mark('%')}`, 'foo'],
    ['after a whole line', `foo\r\n${mark('#')}`, 'foo\n'],
    ['with an empty mark', `foo${' '.repeat(80)}\r\r`, 'foo'],
    ['alone', mark('%'), ''],
  ])('%s is no text', (_, raw, expected) => {
    expect(text(raw)).toBe(expected);
    for (let at = 1; at < raw.length; at++)
      expect(feedText([Buffer.from(raw.slice(0, at)), Buffer.from(raw.slice(at))]).text).toBe(expected);
  });

  test.each([
    ['in the middle', `a${mark('%')}b`],
    ['of another mark', `a${mark('$')}`],
    ['that is not whole', `a${mark('%').slice(0, -1)}`],
  ])('%s stays text', (_, raw) => {
    expect(text(raw)).not.toBe('a');
  });
});

test('counts lines and bytes as the file has them', () => {
  expect(feedText([Buffer.from('a\nb\n')])).toMatchObject({ lines: 2, outBytes: 4 });
  expect(feedText([Buffer.from('a\nb')])).toMatchObject({ lines: 2, outBytes: 3 });
  expect(feedText([])).toMatchObject({ lines: 0, outBytes: 0 });
});

test('indexes every 1,024th line by its place in text and source, with the look it starts in', () => {
  const raw = `\x1b[1;38;2;1;2;3m${'x\r\n'.repeat(1024)}\x1b]8;;http://l\x07\x1b(0${'y\r\n'.repeat(1024)}`;
  const sgr = '\x1b[0;1;38;2;1;2;3m';
  expect(feedText([Buffer.from(raw)], 1000).index).toEqual([
    { line: 1024, out: 2048, src: 1000 + raw.indexOf('\x1b]8'), sgr },
    { line: 2048, out: 2048 + 1024 * 4, src: 1000 + raw.length, sgr: `${sgr}\x1b]8;;http://l\x1b\\\x1b(0` },
  ]);
});

test('an index entry waits for a line where reading can start', () => {
  const raw = `${'x\n'.repeat(1023)}x\x1b[3\n1my\nz\n`;
  expect(feedText([Buffer.from(raw)]).index).toMatchObject([{ line: 1025 }]);
});

test('a line without end is given out as it grows', () => {
  const block = new BlockText(0, 80);
  const given = Array.from({ length: 100 }, () => block.feed(Buffer.alloc(10_000, 0x78)).text.length);
  expect(given.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(1_000_000 - 10_000);
});

test('a fed block that has ended is a bug, ending twice is not', () => {
  const block = new BlockText(0);
  expect(Buffer.from(block.end().text).toString()).toBe('');
  expect(block.end()).toEqual({ text: new Uint8Array(0), index: [] });
  expect(() => block.feed(Buffer.from('a'))).toThrow('after its end');
});

test.each([
  ['marks on a character within the line', `abc\r${'e\u0301'.repeat(1)}`, '\u0301'],
  ['joined emoji', 'ab\b', '\u200d👩'],
  ['joiners within the line', 'abc\r', '\u200d'],
])('an overprinted line with %s without end is given out as it grows', (_, start, piece) => {
  const block = new BlockText(0, 80);
  block.feed(Buffer.from(start));
  const chunk = Buffer.from(piece.repeat(20_000));
  const fed = Array.from({ length: 10 }, () => chunk.length - block.feed(chunk).text.length);
  expect(fed.slice(1).every((held) => held <= chunk.length / 2)).toBe(true);
  expect(block.end().text.length).toBeLessThan(100_000);
});

/** Streams of everything that a program can print, long enough for index entries. */
const longStream = fc
  .array(fc.tuple(vtStream, fc.constantFrom('', '\x1b[31m', '\x1b(0', '\x0e', '\x1b]8;;http://x\x07', '\x1b[?1049l')), {
    minLength: 3,
    maxLength: 6,
  })
  .map((parts) =>
    Buffer.concat(parts.flatMap(([stream, style]) => [stream, Buffer.from(`${style}${'a é\tb\r\n'.repeat(700)}`)])),
  );

test('continues at an entry of its index as if it had read all bytes before', () => {
  let continued = 0;
  const law = fc.property(
    longStream,
    fc.array(fc.nat({ max: 40_000 }), { maxLength: 8 }),
    fc.nat(9),
    (raw, cuts, base) => {
      const whole = feedText([raw], base);
      for (const [n, entry] of whole.index.entries()) {
        if (entry.line % INDEX_EVERY_LINES !== 0) continue;
        const rest = BlockText.from(entry, 80);
        const ends = [...cuts.map((cut) => entry.src - base + cut).sort((a, b) => a - b), raw.length];
        const chunks = ends.map((end, at) => raw.subarray(ends[at - 1] ?? entry.src - base, end));
        const parts = [...chunks.map((chunk) => rest.feed(chunk)), rest.end()];
        const text = Buffer.concat(parts.map((part) => part.text)).toString();
        expect(text).toBe(Buffer.from(whole.text).subarray(entry.out).toString());
        expect(parts.flatMap(({ index }) => index)).toEqual(whole.index.slice(n + 1));
        expect(rest.lines).toBe(whole.lines);
        continued += 1;
      }
    },
  );
  fc.assert(law, fuzzRuns(12));
  expect(continued).toBeGreaterThan(12);
});
