import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ControlTokens } from '../../src-main/events/ControlTokens.ts';
import { QueryFilter } from '../../src-main/events/QueryFilter.ts';
import { isQuery } from '../../src-main/events/queries.ts';
import { sanitizeReplay } from '../../src-main/events/sanitizeReplay.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { vtStream } from '../support/vtStreams.ts';

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const sanitized = (text: string, before = ''): string => textOf(sanitizeReplay(bytesOf(text), bytesOf(before)).bytes);

/** Every form of a query to the terminal. */
const QUERIES = [
  '\x1b[c',
  '\x1b[0c',
  '\x1b[>c',
  '\x1b[=c',
  '\u009bc',
  '\x1bZ',
  '\x1b[5n',
  '\x1b[6n',
  '\x1b[?6n',
  '\x1b[?996n',
  '\x1b[?2026$p',
  '\x1b[4$p',
  '\x1b[>q',
  '\x1b[>0q',
  '\x1b[?u',
  '\x1b[14t',
  '\x1b[18t',
  '\x1b[21t',
  '\x1b[8;10;20t',
  '\x1b[x',
  '\x1b[?1;1;0S',
  '\x1b[1$w',
  '\x1b[1;1;1;1;2;2*y',
  '\x1b[?4m',
  '\x1b]10;?\x07',
  '\x1b]11;?\x1b\\',
  '\x1b]12;?\u009c',
  '\x1b]4;1;?;2;?\x07',
  '\x1b]4;7;?\x07',
  '\x1b]5;1;?\x07',
  '\x1b]52;c;?\x07',
  '\x1b]1337;ReportCellSize\x07',
  '\x1bP$qm\x1b\\',
  '\x1bP+q544e\x1b\\',
  '\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\',
] as const;

/** Sequences to keep: attributes, links, titles, moves, and text that only resembles a query. */
const KEPT = [
  '\x1b[1;31m',
  '\x1b[38;2;1;2;3m',
  '\x1b[4:3m',
  '\x1b]8;;https://example.com/?a=;?\x1b\\',
  '\x1b]8;;\x07',
  '\x1b]0;really?\x07',
  '\x1b]2;?\x07',
  '\x1b[2J',
  '\x1b[3;4H',
  '\x1b[s',
  '\x1b(0',
  '\x1b7',
  '\x1b[>4;1m',
  'what? 52;c;? [6n',
  'été 漢字 👍🏽',
  'a\r\nb\n',
] as const;

const pieces = fc.oneof(
  fc.constantFrom<string>(...QUERIES, ...KEPT),
  fc.constantFrom('\x1b[?1049h', '\x1b[?1049l', '\x1b[?1;47h', '\x1bc', '\x1b]52;c;aGk=\x07', '\r', '\x05'),
  fc.constantFrom(
    '\x1b[',
    '\x1b]0;',
    '\x1b]52;c;',
    '\x1bP$q',
    '\x18',
    '\x1a',
    '\x1b',
    '\u009b',
    '\u009d10;?',
    '?\x07',
    '6n',
  ),
  fc.string({ maxLength: 6 }),
);
const hostile = fc
  .tuple(
    fc.array(pieces, { maxLength: 30 }),
    fc.array(fc.nat({ max: 400 }), { maxLength: 4 }),
    fc.uint8Array({ maxLength: 8 }),
  )
  .map(([parts, holes, noise]) => {
    const bytes = Buffer.from(parts.join(''));
    for (const [n, hole] of holes.entries()) if (hole < bytes.length) bytes[hole] = noise[n] ?? 0xc2;
    return new Uint8Array(bytes);
  });

describe('tokens', () => {
  test('in their order are the stream, wherever it was cut (law)', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, vtStream), fc.array(fc.nat(), { maxLength: 6 }), (stream, cuts) => {
        const whole = new ControlTokens();
        const expected = whole.feed(stream);
        const borders = [0, ...cuts.map((cut) => cut % (stream.length + 1)), stream.length].sort((a, b) => a - b);
        const cutUp = new ControlTokens();
        const tokens = borders.slice(1).flatMap((end, n) => cutUp.feed(stream.subarray(borders[n], end)));
        expect(Buffer.concat(tokens.map(({ bytes }) => bytes)).length + cutUp.heldBytes).toBe(stream.length);
        const sequences = (all: typeof tokens) =>
          all.filter(({ kind }) => kind !== 'text').map(({ kind, at, bytes }) => [kind, at, textOf(bytes)]);
        expect(sequences(tokens)).toEqual(sequences(expected));
        expect(cutUp.heldBytes).toBe(whole.heldBytes);
      }),
      fuzzRuns(1000),
    );
  });

  test('a string without an end is followed and not kept, and what comes after it is whole again', () => {
    const tokens = new ControlTokens();
    tokens.feed(bytesOf('\x1b]0;'));
    for (let n = 0; n < 40; n++) tokens.feed(new Uint8Array(64 * 1024).fill(0x61));
    expect(tokens.heldBytes).toBeLessThan(1024 * 1024 + 64 * 1024);
    const after = tokens.feed(bytesOf('\x1b\\text'));
    expect(after.map(({ kind }) => kind)).toEqual(['broken', 'text']);
    expect(after[1]?.at).toBe(4 + 40 * 64 * 1024 + 2);
  });
});

describe('a sanitised tail', () => {
  test.each(QUERIES)('has no %j', (query) => {
    expect(sanitized(`a${query}b`)).toBe('ab');
  });

  test.each(KEPT)('keeps %j', (kept) => {
    expect(sanitized(`x${kept}y`)).toBe(`x${kept}y`);
  });

  test('is the same when it is sanitised again (law)', () => {
    fc.assert(
      fc.property(hostile, (stream) => {
        const once = sanitizeReplay(stream).bytes;
        const twice = sanitizeReplay(once);
        expect(textOf(twice.bytes)).toBe(textOf(once));
        expect([twice.droppedHead, twice.droppedTail]).toEqual([0, 0]);
      }),
      fuzzRuns(3000),
    );
  });

  test('never holds a query, a clipboard write, a lone CR or an open end (law)', () => {
    fc.assert(
      fc.property(hostile, (stream) => {
        const tokens = new ControlTokens();
        const { bytes } = sanitizeReplay(stream);
        for (const token of tokens.feed(bytes)) {
          expect(isQuery(token), textOf(token.bytes)).toBe(false);
          expect(textOf(token.bytes)).not.toMatch(/^\x1b\]52;/);
          if (token.kind === 'text') expect(textOf(token.bytes)).not.toMatch(/\r(?!\n)|\x05/);
        }
        expect(tokens.heldBytes).toBe(0);
      }),
      fuzzRuns(3000),
    );
  });

  test('cut anywhere is the end of the whole one: no cut begins within a sequence or a character (law)', () => {
    fc.assert(
      fc.property(hostile, fc.nat(), (stream, cut) => {
        const at = cut % (stream.length + 1);
        const whole = Buffer.from(sanitizeReplay(stream).bytes);
        const tail = Buffer.from(sanitizeReplay(stream.subarray(at), stream.subarray(0, at)).bytes);
        // The cut may separate a CR from its LF, which is no boundary.
        const end = whole.subarray(whole.length - tail.length);
        expect(tail.equals(end), JSON.stringify([tail.toString(), end.toString()])).toBe(true);
      }),
      fuzzRuns(3000),
    );
  });

  test('is plain text as it was, and says how much of the ends is gone (law)', () => {
    const plain = fc.array(fc.constantFrom('a', ' ', 'é', '漢', '👍🏽', '\n', '\r\n', '\t'), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(plain, (parts) => {
        const text = parts.join('').replace(/^[\r\t]+/, '');
        const { bytes, droppedHead, droppedTail } = sanitizeReplay(bytesOf(text));
        expect([textOf(bytes), text === '' ? [0, 0] : [droppedHead, droppedTail]]).toEqual([text, [0, 0]]);
      }),
    );
  });

  test.each([
    ['mid SGR', '31mred', 'x\x1b[1;', 'red', 3, 0],
    ['mid title', 'tle\x07text', '\x1b]0;ti', 'text', 4, 0],
    ['mid character', '\x82\xacend', '', '', 0, 0],
    ['a dangling escape', 'text\x1b', '', 'text', 0, 1],
    ['a dangling CSI', 'text\x1b[1;3', '', 'text', 0, 5],
    ['a dangling title', 'text\x1b]0;ti', '', 'text', 0, 6],
    ['controls at the start', '\x08\x07\x00text', '', 'text', 3, 0],
    ['nothing but the rest of a sequence', '31', '\x1b[', '', 2, 0],
  ])('%s', (name, tail, before, shown, head, end) => {
    if (name === 'mid character') {
      const euro = Buffer.from('€end€');
      const cut = sanitizeReplay(euro.subarray(1, -1));
      expect([textOf(cut.bytes), cut.droppedHead, cut.droppedTail]).toEqual(['end', 2, 2]);
      return;
    }
    const { bytes, droppedHead, droppedTail } = sanitizeReplay(bytesOf(tail), bytesOf(before));
    expect([textOf(bytes), droppedHead, droppedTail]).toEqual([shown, head, end]);
  });

  test('prints nothing over: a CR alone becomes LF', () => {
    expect(sanitized('10%\r50%\r100%\r\ndone\r')).toBe('10%\n50%\n100%\r\ndone\n');
  });

  test('has nothing of the alternate screen', () => {
    expect(sanitized('before\x1b[?1049h\x1b[2Jvim\x1b[?1049lafter')).toBe('beforeafter');
    expect(sanitized('still vim\x1b[?25;1049lafter', '\x1b[?47h')).toBe('after');
    expect(sanitized('open\x1b[?1047hvim')).toBe('open');
  });
});

describe('live bytes for another terminal', () => {
  test('pass without queries, however they are cut, and what is left joins to none (law)', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, vtStream), fc.array(fc.nat(), { maxLength: 6 }), (stream, cuts) => {
        const borders = [0, ...cuts.map((cut) => cut % (stream.length + 1)), stream.length].sort((a, b) => a - b);
        const filter = new QueryFilter();
        const passed = borders.slice(1).map((end, n) => filter.feed(stream.subarray(borders[n], end)).passed);
        for (const token of new ControlTokens().feed(Buffer.concat(passed))) {
          expect(isQuery(token), textOf(token.bytes)).toBe(false);
        }
      }),
      fuzzRuns(3000),
    );
  });

  test('are touched nowhere else', () => {
    fc.assert(
      fc.property(vtStream, (stream) => {
        const { passed } = new QueryFilter().feed(stream);
        expect(stream.length - passed.length).toBeLessThanOrEqual(1); // the last byte may start a sequence
        expect(textOf(passed)).toBe(textOf(stream.subarray(0, passed.length)));
      }),
    );
  });

  test('keep the clipboard and titles, and lose extended keyboards', () => {
    const { passed } = new QueryFilter().feed(bytesOf('\x1b]52;c;aGk=\x07\x1b]0;t\x07\x1b[>1u\x1b[<u\x1b[>4;2mx\x05y'));
    expect(textOf(passed)).toBe('\x1b]52;c;aGk=\x07\x1b]0;t\x07x\0y');
  });
});

describe("kitty's images", () => {
  test.each([
    ['\x1b_Ga=T,i=3;AAAA\x1b\\', '\x1b_Gq=2,a=T,i=3;AAAA\x1b\\'],
    ['\x1b_Ga=p,q=1,i=3\x1b\\', '\x1b_Gq=2,a=p,i=3\x1b\\'],
    ['\x1b_Gm=0;\x1b\\', '\x1b_Gq=2,m=0;\x1b\\'],
    ['\x1b_other\x1b\\', '\x1b_other\x1b\\'],
  ])('are passed on without an answer: %j', (sequence, passed) => {
    expect(textOf(new QueryFilter().feed(bytesOf(sequence)).passed)).toBe(passed);
  });

  test('are left out of what is shown again', () => {
    expect(sanitized('a\x1b_Ga=T,i=3;AAAA\x1b\\b')).toBe('ab');
  });
});
