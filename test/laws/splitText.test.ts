import fc from 'fast-check';
import { expect, test } from 'vitest';
import { feedStyled, feedText, linesOf, plain } from '../blocks/feedText.ts';
import { cutAt, cuts, terminalStream } from '../events/terminalStream.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

/** Long lines, so that their heads are emitted and frozen, with cursor moves back into them. */
const longStream = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom('x', 'é', '漢', '\x1b[31my', '😀'), fc.integer({ min: 1, max: 9000 }))
        .map(([text, count]) => text.repeat(count)),
      fc.constantFrom(
        '\r',
        '\b\b',
        '\t',
        '\r\x1b[K',
        '\x1b[5D',
        'abc',
        '\n',
        '\x1b[2X',
        '\x1b[1m',
        '\x1b[3@',
        '\x1b[1K',
        '\x1b[4b',
      ),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => Buffer.from(pieces.join('')));

/** Many short lines, which need index entries. */
const tallStream = fc
  .tuple(
    fc.array(fc.tuple(terminalStream, fc.constantFrom(0, 1, 700, 1023, 1024, 2500)), { maxLength: 4 }),
    fc.constantFrom(
      'line\r\n',
      'a\x1b[32mb\n',
      '\x1b[7mc\x1b[0m\n',
      '漢\t字\r\n',
      'x\rylong\x1b[K\n',
      '\x0e\n',
      '\x1b]8;;http://l.example\x07l\n',
    ),
  )
  .map(([parts, line]) => Buffer.concat(parts.flatMap(([stream, count]) => [stream, Buffer.from(line.repeat(count))])));

const anyStream = fc.oneof(
  { weight: 6, arbitrary: terminalStream },
  { weight: 1, arbitrary: longStream },
  { weight: 1, arbitrary: tallStream },
);

test('wherever a stream is cut, its text, index and lines are the same', () => {
  fc.assert(
    fc.property(anyStream, cuts, (stream, fractions) => {
      expect(feedText(cutAt(stream, fractions), 5)).toEqual(feedText([stream], 5));
    }),
    fuzzRuns(1500),
  );
});

test('wherever a stream is cut, its styled lines are the same', () => {
  fc.assert(
    fc.property(anyStream, cuts, (stream, fractions) => {
      expect(feedStyled(cutAt(stream, fractions))).toEqual(feedStyled([stream]));
    }),
    fuzzRuns(800),
  );
});

test('the texts of the spans are the text', () => {
  fc.assert(
    fc.property(anyStream, cuts, (stream, fractions) => {
      const { text, lines } = feedText([stream]);
      const styled = plain(feedStyled(cutAt(stream, fractions)));
      expect(styled).toEqual(linesOf(text));
      expect(styled).toHaveLength(lines);
    }),
    fuzzRuns(1500),
  );
});

test('reading from any index entry gives what reading from the start gives', () => {
  fc.assert(
    fc.property(tallStream, (stream) => {
      const { text, index } = feedText([stream], 100);
      const all = feedStyled([stream]);
      for (const entry of index) {
        expect(feedStyled([stream.subarray(entry.src - 100)], { entry })).toEqual(all.slice(entry.line));
        expect(linesOf(Buffer.from(text).subarray(entry.out).toString())).toEqual(linesOf(text).slice(entry.line));
      }
    }),
    fuzzRuns(80),
  );
});

test('no control, C1, lone surrogate or CR is ever in the text', () => {
  fc.assert(
    fc.property(anyStream, (stream) => {
      const { text } = feedText([stream]);
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      expect(text.isWellFormed()).toBe(true);
    }),
    fuzzRuns(1000),
  );
});

test('text without controls comes out as TextDecoder reads it, from any bytes', () => {
  const bytes = fc
    .array(
      fc.integer({ min: 0x20, max: 0xff }).filter((byte) => byte !== 0x7f),
      { maxLength: 40 },
    )
    .map((list) => Uint8Array.from(list));
  const noC1 = (stream: Uint8Array) =>
    !/[\u0080-\u009f]/.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(stream));
  fc.assert(
    fc.property(bytes.filter(noC1), cuts, (stream, fractions) => {
      expect(feedText(cutAt(stream, fractions)).text).toBe(
        new TextDecoder('utf-8', { ignoreBOM: true }).decode(stream),
      );
    }),
    fuzzRuns(5000),
  );
});
