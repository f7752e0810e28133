import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineAndColumn, offsetOf, parseJsonc, repeatedKey } from '../../src-main/util/parseJsonc.ts';

describe('JSON with comments', () => {
  test('is read as JSON is, however it is spaced', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJsonc(text)).toMatchObject({ ok: true });
        const parsed = parseJsonc(text);
        expect(parsed.ok && JSON.stringify(parsed.root.value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test('of any other text is a fault with its place, never an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,/*\n 1-e.tn\\u"'), maxLength: 20 }), (text) => {
        const parsed = parseJsonc(text);
        if (!parsed.ok) expect(parsed.offset).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test('has comments and trailing commas, and strings in which they are none', () => {
    const parsed = parseJsonc('\uFEFF// a\n{ /* b\n */ "a": ["//", "/*", 1,], // c\n "b": {"c": null,},\n}\n// d');
    expect(parsed.ok && parsed.root.value).toEqual({ a: ['//', '/*', 1], b: { c: null } });
  });

  test('tells where a value stands, or the nearest around it', () => {
    const text = '{ "a": [1,\n  {"b": 2}] }';
    const parsed = parseJsonc(text);
    const at = (path: (string | number)[]): unknown => parsed.ok && lineAndColumn(text, offsetOf(parsed.root, path));
    expect([at(['a', 1, 'b']), at(['a', 1, 'c']), at(['x']), at([])]).toEqual([
      { line: 2, column: 9 },
      { line: 2, column: 3 },
      { line: 1, column: 1 },
      { line: 1, column: 1 },
    ]);
  });

  test('keeps a key called __proto__ a key', () => {
    const parsed = parseJsonc('{"__proto__": {"a": 1}}');
    expect(parsed.ok && Object.keys(parsed.root.value as object)).toEqual(['__proto__']);
  });

  test('tells of a key that stands twice, wherever that is', () => {
    const twice = (text: string): unknown => {
      const parsed = parseJsonc(text);
      return parsed.ok && repeatedKey(parsed.root);
    };
    expect(twice('{"a":1,"b":[{"a":{"c":1,"c":2}}]}')).toEqual({ key: 'c', offset: 24 });
    expect(twice('{"a":1,"b":{"a":2}}')).toBeNull();
  });

  test.for([
    '[1 2]',
    '{"a" 1}',
    '01',
    '1.',
    '.5',
    '+1',
    "'a'",
    '"a\nb"',
    '"\\x41"',
    '/* a',
    'nul',
    'truex',
    '[,]',
    '{,}',
    '[1,,2]',
    'NaN',
    '1 // a\n2',
    '#',
    '['.repeat(100),
  ])('refuses %s', (text) => {
    expect(parseJsonc(text).ok).toBe(false);
  });
});
