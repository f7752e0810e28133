import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBlockMarker } from '../../src-main/events/blockMarkers.ts';
import { parseShellWords } from '../../src-main/events/parseShellWords.ts';

const list = (values: readonly string[]): string => values.join('\x1f');
const report = (parts: Partial<Record<'a' | 'v' | 'g' | 's' | 'f' | 'c', readonly string[]>>): string =>
  (['a', 'v', 'g', 's', 'f', 'c'] as const).map((kind) => kind + list(parts[kind] ?? [])).join('\x1e');

describe('a report of a shell', () => {
  const name = fc.stringMatching(/^[^\x1e\x1f]+$/);
  const value = fc.stringMatching(/^[^\x1e\x1f]*$/);

  test('law: is read as it was told', () => {
    const names = fc.uniqueArray(name, { maxLength: 5 });
    fc.assert(
      fc.property(fc.dictionary(name, value), names, names, (aliases, functions, checked) => {
        const entries = Object.entries(aliases);
        const told = report({
          a: entries.map(([key]) => key),
          v: entries.map(([, text]) => text),
          f: functions,
          c: checked,
        });
        const words = parseShellWords(told);
        expect([...(words?.aliases ?? [])]).toEqual(entries);
        expect([...(words?.functions ?? [])]).toEqual(functions);
        expect([...(words?.checked ?? [])]).toEqual(checked);
      }),
    );
  });

  test('law: a value with a separator in it is never read as anything else', () => {
    const odd = fc
      .tuple(value, fc.constantFrom('\x1e', '\x1f', '\x1ef', '\x1ec', '\x1ea'), value)
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(odd, (text) => {
        expect(parseShellWords(report({ a: ['ls'], v: [text], c: ['ls'] }))).toBeNull();
      }),
    );
  });

  test.each(['', 'a', 'x', report({}).slice(0, -2), `${report({})}\x1ec`, report({ a: ['x', 'y'], v: ['1'] })])(
    '%j is not understood',
    (told) => expect(parseShellWords(told)).toBeNull(),
  );
});

describe('a prompt of the hook', () => {
  const heard = (fields: string) => {
    const payload = Buffer.from(`7717;${'n'.repeat(34)};PROMPT;${fields}`);
    const event = parseBlockMarker(payload, { at: 0, end: payload.length, isCut: false });
    return event.type === 'prompt' ? event.words : null;
  };
  const told = Buffer.from(report({ a: ['ls'], v: ['rm'] })).toString('base64');

  test('names what it is to be read with, and tells it when it is new', () => {
    expect(heard('shell=bash')).toBeUndefined();
    expect(heard('words=12.3')).toEqual({ id: '12.3' });
    expect(heard(`words=12.4;words_b64=${told}`)?.words?.aliases).toEqual(new Map([['ls', 'rm']]));
  });

  test('tells nothing where it cannot be read', () => {
    for (const bad of ['', '%%%', Buffer.from('zzz').toString('base64'), Buffer.from([0xff]).toString('base64')])
      expect(heard(`words=1.1;words_b64=${bad}`)).toEqual({ id: '1.1', words: null });
  });
});
