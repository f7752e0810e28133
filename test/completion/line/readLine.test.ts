import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quoteWord } from '../../../src-main/completion/line/quoting.ts';
import { readLine } from '../../../src-main/completion/line/readLine.ts';
import { resolveCommand } from '../../../src-main/completion/line/resolveCommand.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const DIALECTS = ['posix', 'backslash', 'backquote'] as const;
const QUOTES = ['', '"', "'"] as const;
/** Text with a meaning for a shell, mixed with any text. */
const PIECES = [
  'git ',
  '"',
  "'",
  '\\',
  '`',
  '$(',
  ')',
  '(',
  '|',
  '&&',
  ';',
  '>',
  '2>',
  '<(',
  '#',
  '$',
  '{',
  '}',
  ' ',
  '\n',
  '--x=',
  '-a',
  '=',
  '~/',
];
const line = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 30 })
  .map((pieces) => pieces.join(''));
/** A file's name: any text without a slash or a NUL. */
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((text) => text.replace(/[/\0]/g, '!') || 'x');
/** A name without control characters, whose quoted form ($'…') the reader does not support. */
const plainName = name.map((text) => text.replace(/\p{Cc}/gu, '') || 'x');

describe('a line', () => {
  test('is read for any text and caret; the range lies within it and ends at the caret or behind a closing quote', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: -2, max: 200 }), fc.constantFrom(...DIALECTS), (text, caret, dialect) => {
        const { word } = readLine(text, caret, dialect);
        const at = Math.max(0, Math.min(text.length, caret));
        expect(word.from).toBeGreaterThanOrEqual(0);
        expect(word.from).toBeLessThanOrEqual(at);
        expect([at, at + 1]).toContain(word.to);
        expect(word.to).toBeLessThanOrEqual(text.length);
        if (word.to > at) expect(text.charAt(at)).toBe(word.quote);
        if (word.isPlain && word.quote === '' && !word.isExpanded) expect(text.slice(word.from, at)).toBe(word.value);
      }),
      fuzzRuns(2000),
    );
  });

  test('is not plain where a word goes on in the next line', () => {
    expect(readLine('~/`\n', 4, 'backquote').word).toMatchObject({ value: '~/', isPlain: false });
  });

  test('is read in time that grows with its length', () => {
    for (const piece of PIECES) readLine(piece.repeat(60_000), 60_000);
  });

  test('gives back a name that was quoted, in every quote and shell', () => {
    fc.assert(
      fc.property(plainName, fc.constantFrom(...QUOTES), fc.constantFrom(...DIALECTS), (value, quote, dialect) => {
        const { words } = readLine(`x ${quoteWord(value, { dialect, quote })} `, 1e6, dialect);
        const read = words.at(-1);
        // PowerShell doubles a quote, which reads as two words joined
        if (dialect === 'backquote' && /['"]/.test(value)) return;
        expect(words).toHaveLength(2);
        expect(read).toBe(value);
      }),
      fuzzRuns(2000),
    );
  });

  test('holds no control character after a name with some was put in', () => {
    fc.assert(
      fc.property(name, fc.constantFrom(...QUOTES), fc.constantFrom('posix', 'backslash'), (value, quote, dialect) => {
        expect(quoteWord(value, { dialect, quote })).not.toMatch(/\p{Cc}/u);
      }),
      fuzzRuns(500),
    );
  });
});

test('any words resolve to a place', async () => {
  const spec = {
    names: ['a'],
    subcommands: [{ names: ['b'], args: [{ isVariadic: true as const }] }],
    options: [{ names: ['-x', '--long'], args: [{}, { isOptional: true as const }], isPersistent: true as const }],
    args: [{ isCommand: true as const }],
  };
  const word = fc.oneof(
    fc.constantFrom('a', 'b', '-x', '--long', '--long=1', '--', '-', 'sudo', 'env', 'A=1', '__proto__', 'constructor'),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 40 }), async (words) => {
      const place = await resolveCommand(words, async (name) => (name === 'a' ? spec : null));
      expect(Array.isArray(place.args)).toBe(true);
    }),
    fuzzRuns(1000),
  );
});
