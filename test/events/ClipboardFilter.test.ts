import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClipboardFilter } from '../../src-main/events/ClipboardFilter.ts';
import { MaskedNonces } from '../../src-main/events/masks/MaskedNonces.ts';

function filtered(...chunks: Uint8Array[]): string {
  const filter = new ClipboardFilter();
  return Buffer.concat([...chunks.map((chunk) => Uint8Array.from(filter.feed(chunk))), filter.end()]).toString();
}

const CASES: readonly [string, string, string][] = [
  ['a write ended by BEL', 'a\x1b]52;c;aGk=\x07b', 'ab'],
  ['a write ended by ST', 'a\x1b]52;c;aGk=\x1b\\b', 'ab'],
  ['a query', 'a\x1b]52;c;?\x07b', 'ab'],
  ['one in C1', 'a\u009d52;c;aGk=\u009cb', 'ab'],
  ['one with zeros in front', 'a\x1b]0052;c;aGk=\x07b', 'ab'],
  ['one with more zeros than is honest', `a\x1b]${'0'.repeat(40)}52;c;aGk=\x07b`, 'ab'],
  ['one that another sequence ends', 'a\x1b]52;c;aGk=\x1b[31mb', 'a\x1b[31mb'],
  ['one that another one ends', 'a\x1b]52;c;aGk=\x1b]52;c;aGk=\x07b', 'ab'],
  ['one that is cancelled', 'a\x1b]52;c;aG\x18b', 'ab'],
  ['one behind an ESC', 'a\x1b\x1b]52;c;aGk=\x07b', 'a\x1bb'],
  ['one that never ends', 'a\x1b]52;c;aGk=', 'a'],
  ['a title', 'a\x1b]2;52;c\x07b', 'a\x1b]2;52;c\x07b'],
  ['OSC 520', '\x1b]520;c\x07', '\x1b]520;c\x07'],
  ['OSC 5', '\x1b]5;2\x07', '\x1b]5;2\x07'],
  ['text with no sequence', 'über 52;c;x \u00a9', 'über 52;c;x \u00a9'],
  ['the start of one', 'a\x1b]5', 'a\x1b]5'],
];

describe('the clipboard is left out', () => {
  test.each(CASES)('%s', (_, input, output) => {
    expect(filtered(Buffer.from(input))).toBe(output);
  });

  test('wherever the stream is cut', () => {
    for (const [, input, output] of CASES) {
      const bytes = Buffer.from(input);
      for (let at = 0; at <= bytes.length; at++)
        expect([at, filtered(bytes.subarray(0, at), bytes.subarray(at))]).toEqual([at, output]);
    }
  });

  test('and nothing else is, of any bytes without it', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }), (chunks) => {
        const all = Buffer.concat(chunks);
        fc.pre(!/(?:\x1b\]|\xc2\x9d)[0-9]*/.test(all.toString('latin1')));
        const filter = new ClipboardFilter();
        const out = Buffer.concat([...chunks.map((chunk) => Uint8Array.from(filter.feed(chunk))), filter.end()]);
        expect(out).toEqual(all);
      }),
    );
  });
});

test('masked nonces are found at their offsets, wherever the stream is cut', () => {
  const marker = (name: string): string => `\x1b]7717;${'0'.repeat(34)};${name}\x07`;
  const bytes = Buffer.from(`x${marker('PROMPT')}text${marker('BLOCK_END')}`);
  const expected = [8, 8 + marker('PROMPT').length + 4];
  for (let at = 0; at <= bytes.length; at++) {
    const nonces = new MaskedNonces();
    expect([at, ...nonces.feed(bytes.subarray(0, at)), ...nonces.feed(bytes.subarray(at))]).toEqual([at, ...expected]);
  }
});
