import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactedLines } from '../../src-main/redaction/redactedLines.ts';
import { ByteScanner, type ScannedLine, type ScanSpec } from '../../src-main/search/ByteScanner.ts';
import { hintOf } from '../../src-main/search/lines/LineHint.ts';
import { RedactingBytes } from '../../src-main/search/lines/RedactingBytes.ts';
import type { LinePattern, Span } from '../../src-main/search/lines/searchText.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { newKeyPair } from '../support/newKeyPair.ts';

/** Pieces of lines that are hard for expressions: letters with unusual case folding, half characters, bad bytes, NUL, CR, long runs. */
const PIECES = [
  'a',
  'ab',
  'ERROR',
  'error',
  'k',
  'K',
  's',
  'S',
  'ſ',
  'K',
  'é',
  'É',
  '日本',
  '😀',
  '\ufffd',
  ' ',
  '0',
  '12',
  '-',
  '.',
  '\r',
  '\t',
  '\0',
  '\ufeff',
  'x'.repeat(20),
];
const BAD = [[0xff], [0xc3], [0xf0, 0x9f], [0xed, 0xa0, 0x80], [0x80], [0xe2, 0x84]];
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...PIECES).map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: fc.constant(Buffer.from('\n')) },
  { weight: 1, arbitrary: fc.constantFrom(...BAD).map((bytes) => Buffer.from(bytes)) },
);
const text = fc.array(piece, { maxLength: 60, size: 'max' }).map((pieces) => Buffer.concat(pieces));

const CHARS = [
  'a',
  'b',
  'E',
  'R',
  'k',
  's',
  'K',
  'ſ',
  'é',
  '日',
  '😀',
  '\ufffd',
  '-',
  '0',
  ' ',
  '\\.',
  '\\r',
  '\\u004b',
  '\\x61',
  '\\t',
  '\\ud83d',
];
const atom = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...CHARS), { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('.', '\\d', '\\w', '\\s', '[a-e]', '[^a]', '[kK]', '[日é]', '\\b', '^', '$', '\\B', ''),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '(?=a)',
      '(?!E)',
      '(?<=a)',
      '(?<!b)',
      '(?=.*error)',
      '(a)\\1',
      '(?<n>s)',
      '(?i:error)',
      '(?-i:a)',
    ),
  },
);
const { expression } = fc.letrec<{ expression: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    atom,
    fc.tuple(atom, fc.constantFrom('+', '*?', '{2,}')).map(([own, times]) => `(?:${own})${times}`),
    fc // few repetitions, because expressions with much backtracking would not end on a long line
      .tuple(tie('expression'), fc.constantFrom('', '?', '{2}', '{0,2}'))
      .map(([own, times]) => `(?:${own})${times}`),
    tie('expression').map((own) => `(${own})`),
  ),
  expression: fc
    .array(
      fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((all) => all.join('|')),
}));
/** Literals from the pieces of the text, so that many match. */
const literal = fc
  .array(fc.constantFrom('a', 'ab', 'ERROR', 'Error', 'k', 's', 'é', '日本', '😀', '\ufffd', '0', '12', '-', 'x{3}'), {
    minLength: 1,
    maxLength: 2,
  })
  .map((all) => all.join(''));
const simple = fc
  .tuple(
    fc.constantFrom('', '^', '\\b', '(?<=a)', '.*'),
    literal,
    fc.constantFrom('', '$', '.', '(?=k|s|\\r?)', '|日本|error', '+\\d?'),
  )
  .map((all) => all.join(''));
const source = fc.oneof({ weight: 1, arbitrary: expression }, { weight: 2, arbitrary: simple });
const flags = fc.constantFrom('', 'i', 'u', 'iu', 's', 'm', 'ims');
const cuts = fc.array(fc.nat(400), { maxLength: 8 });

function linesOf(bytes: Buffer, encoding: 'utf8' | 'latin1'): string[] {
  const lines = bytes.toString(encoding).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function scan(bytes: Buffer, at: readonly number[], spec: ScanSpec): { found: ScannedLine[]; scanner: ByteScanner } {
  const scanner = new ByteScanner(spec);
  const found: ScannedLine[] = [];
  const take = (lines: Iterable<ScannedLine | null>): void => {
    for (const line of lines) if (line) found.push(line);
  };
  const borders = [...new Set(at.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...borders, bytes.length]) {
    take(scanner.feed(Buffer.from(bytes.subarray(from, to))));
    from = to;
  }
  take(scanner.end());
  return { found, scanner };
}

function expressionOf(source: string, own: string): RegExp | null {
  try {
    return new RegExp(source, `g${own}`);
  } catch {
    return null;
  }
}

function spansIn(line: string, expression: RegExp): Span[] {
  return Array.from(line.matchAll(expression), ({ index, 0: { length } }) => ({ start: index, end: index + length }));
}

/** Runs an expression without the separate context that it has in the product, because making one takes most of the time. */
function patternOf(expression: RegExp): LinePattern {
  const match = (line: string) => {
    const spans = spansIn(line, expression);
    return spans.length > 0 ? spans : null;
  };
  return { next: (lines, from) => ({ count: lines.length - from, spans: lines.slice(from).map(match) }) };
}

const range = fc.option(fc.tuple(fc.nat(3), fc.nat(12)), { nil: null, freq: 1 });

test('finds in any text, cut anywhere, what the expression finds line by line', () => {
  const cases = fc.record({
    ...{ text, cuts, flags, range, source, context: fc.nat(3) },
    encoding: fc.constantFrom('utf8' as const, 'latin1' as const),
  });
  let hinted = 0;
  let matching = 0;
  fc.assert(
    fc.property(cases, ({ text: bytes, cuts: at, flags: own, range: lines, source, context, encoding }) => {
      const naive = expressionOf(source, own);
      fc.pre(naive !== null);
      if (!naive) return;
      const [from, to] = lines ? [Math.min(...lines), Math.max(...lines)] : [0, Number.POSITIVE_INFINITY];
      const hint = hintOf(source, own, encoding);
      const { found, scanner } = scan(bytes, at, { pattern: patternOf(naive), hint, encoding, context, from, to });

      const all = linesOf(bytes, encoding);
      const spansOf = (line: string) => spansIn(line, naive);
      const matches = all.flatMap((line, n) => (n >= from && n < to && spansOf(line).length > 0 ? [n] : []));
      const shown = all.flatMap((line, n) =>
        n >= from && n < to && matches.some((match) => Math.abs(match - n) <= context)
          ? [{ n, text: line, spans: matches.includes(n) ? spansOf(line) : null }]
          : [],
      );
      expect(found.map(({ bytes: _, ...line }) => line)).toEqual(shown);
      if (lines === null) expect(scanner.reached).toBe(all.length);
      if (hint) hinted += 1;
      if (hint && matches.length > 0) matching += 1;
    }),
    fuzzRuns(10_000),
  );
  expect(hinted).toBeGreaterThan(3000);
  expect(matching).toBeGreaterThan(500);
});

test.each(['utf8', 'latin1'] as const)('looks through a line of megabytes as a whole (%s)', (encoding) => {
  const bytes = Buffer.from(`first\n${'x'.repeat(3_000_000)}end of it\nlast`);
  for (const expression of [/^x+end of it$/g, /end of it/g, /x$|last/g]) {
    const spec = { pattern: patternOf(expression), hint: hintOf(expression.source, '', encoding), encoding };
    const { found } = scan(bytes, [1, 100_000, 2_000_000], spec);
    expect(found.map(({ n }) => n)).toEqual(expression.source.includes('last') ? [2] : [1]);
  }
});

test('reports a line that is too long to be searched', () => {
  const bytes = Buffer.from(`a needle\n${'x'.repeat(900)} needle\nneedle again`);
  const spec = { pattern: patternOf(/needle/g), hint: hintOf('needle', ''), maxLineBytes: 300 };
  const { found, scanner } = scan(bytes, [100, 400, 600], spec);
  expect(found.map(({ n }) => n)).toEqual([0, 2]);
  expect([scanner.tooLong, scanner.reached]).toEqual([[1], 3]);
});

test('redacts the same lines however the text is cut', () => {
  const key = newKeyPair().privateKey.trim().split('\n');
  const some = fc.constantFrom(
    'plain words',
    'password=hunter2!',
    `export TOKEN=${'ghp_'}${'a1B2'.repeat(9)}`,
    'é 日本',
    '',
  );
  const lines = fc
    .array(
      fc.oneof(
        some.map((line) => [line]),
        fc.constant(key),
      ),
      { minLength: 1, maxLength: 30 },
    )
    .map((all) => all.flat());
  fc.assert(
    fc.property(lines, cuts, (all, at) => {
      const bytes = Buffer.from(`${all.join('\n')}\n`);
      const redacting = new RedactingBytes();
      const every = { pattern: patternOf(/^/g), hint: null, shown: (own: Buffer) => redacting.take(own) };
      const whole = new RedactingBytes().take(bytes).toString().split('\n').slice(0, -1);
      const shown = scan(bytes, at, every).found.map(({ text: line }) => line);
      expect(shown).toHaveLength(all.length);
      expect(whole).toEqual(redactedLines(all).lines);
      const body = key.slice(1, -1);
      for (const [n, line] of shown.entries()) {
        expect(line.includes('hunter2') || line.includes('a1B2')).toBe(false);
        if (body.includes(all[n] as string)) expect(line).toBe('[redacted]');
      }
    }),
    fuzzRuns(300),
  );
});
