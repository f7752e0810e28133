import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeJson, escapeLine, escapeText } from '../../src-main/util/escapeControls.ts';

/** Whether a terminal could obey the character, or the character could deceive a reader; listed by code point. */
function isUnsafe(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  const ranges = [
    [0, 0x1f],
    [0x7f, 0x9f],
    [0x61c, 0x61c],
    [0x200e, 0x200f],
    [0x2028, 0x202e],
    [0x2066, 0x2069],
    [0xe0000, 0xe007f],
  ] as const;
  return ranges.some(([from, to]) => code >= from && code <= to);
}

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\x1b', '\n', '\t', '\x9b', '\u202e', '\u{e0041}', '\r'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

describe('escapeLine', () => {
  test('leaves nothing that a terminal would obey, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect([...escapeLine(text)].filter(isUnsafe)).toEqual([]);
      }),
    );
  });

  test.each([
    ['plain text stays', 'ls -la ~/日本語 👍🏽', 'ls -la ~/日本語 👍🏽'],
    ['line ends and tabs', 'a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['an escape sequence', '\x1b[31mred', '\\e[31mred'],
    ['an 8-bit CSI', '\x9b31m', '\\x9b31m'],
    ['bidi overrides', 'gpj\u202etxt.exe', 'gpj\\u{202e}txt.exe'],
    ['tag characters', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ])('%s', (_, text, escaped) => {
    expect(escapeLine(text)).toBe(escaped);
  });
});

describe('escapeText', () => {
  test('keeps lines and tabs and nothing else that is unsafe', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect([...escapeText(text)].filter((char) => isUnsafe(char) && char !== '\n' && char !== '\t')).toEqual([]);
      }),
    );
  });

  test('gives the same text wherever it is cut between characters', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (text, cut) => {
        const chars = [...text];
        const at = chars.length === 0 ? 0 : cut % chars.length;
        expect(escapeText(chars.slice(0, at).join('')) + escapeText(chars.slice(at).join(''))).toBe(escapeText(text));
      }),
    );
  });
});

describe('escapeJson', () => {
  test('says the same as the JSON it was given, without anything unsafe', () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.constantFrom(0, 2), (value, indent) => {
        const json = escapeJson(JSON.stringify(value, null, indent));
        expect(JSON.parse(json)).toEqual(value);
        expect([...json].filter((char) => isUnsafe(char) && char !== '\n')).toEqual([]);
      }),
    );
  });
});
