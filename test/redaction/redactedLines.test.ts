import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayBeKey, redactedLines } from '../../src-main/redaction/redactedLines.ts';
import { redactSecrets } from '../../src-main/redaction/redactSecrets.ts';
import { RedactingBytes } from '../../src-main/search/lines/RedactingBytes.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { newKeyPair } from '../support/newKeyPair.ts';

const { privateKey } = newKeyPair();
const KEY = privateKey.trim().split('\n');
const BODY = KEY.slice(1, -1);
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;

function wrapped(text: string, cols: number): { rows: string[]; isWrapped: (at: number) => boolean } {
  const starts = new Set<number>();
  const rows = text.split('\n').flatMap((line, first, all) => {
    const pieces = line.match(new RegExp(`.{1,${cols}}`, 'g')) ?? [''];
    const at = all.slice(0, first).reduce((sum, one) => sum + Math.max(1, Math.ceil(one.length / cols)), 0);
    starts.add(at);
    return pieces;
  });
  return { rows, isWrapped: (at) => !starts.has(at) };
}

describe('lines that belong together', () => {
  test('a key over many lines is taken out of each, and is one secret', () => {
    const { lines, redactions } = redactedLines(['$ cat key', ...KEY, 'done']);
    expect(lines).toEqual(['$ cat key', ...KEY.map(() => '[redacted]'), 'done']);
    expect(redactions).toBe(1);
  });

  test.each([[1], [5], [20]])('from its line %i on too, when what stands above is known', (first) => {
    const slice = KEY.slice(first, first + 4);
    expect(redactedLines(slice).lines).toEqual(slice);
    expect(mayBeKey(slice)).toBe(true);
    const { lines, redactions } = redactedLines(slice, { above: KEY.slice(0, first) });
    expect([lines, redactions]).toEqual([slice.map(() => '[redacted]'), 1]);
  });

  test.each([24, 40, 60, 63])('wrapped into rows of %i columns', (cols) => {
    const { rows, isWrapped } = wrapped([`token ${TOKEN}`, ...KEY].join('\n'), cols);
    const { lines } = redactedLines(rows, { isWrapped });
    const text = lines.join('');
    expect(BODY.filter((line) => line.match(/.{1,16}/g)?.some((piece) => text.includes(piece)))).toEqual([]);
    expect(text).not.toContain(TOKEN.slice(-12));
    expect(lines).toHaveLength(rows.length);
  });

  test('what is none stays, line by line, and what is one is found in lines as in one text', () => {
    const word = fc.constantFrom('make', 'API_KEY=', TOKEN, 'ok', '', '  ', 'password: hunter22x', ...BODY.slice(0, 2));
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 4 }), { maxLength: 12 }), (words) => {
        const lines = words.map((one) => one.join(' '));
        const found = redactedLines(lines);
        const { count } = redactSecrets(lines.join('\n'));
        expect(found.lines).toHaveLength(lines.length);
        expect(found.redactions > 0).toBe(count > 0);
        if (count === 0) expect(found.lines).toEqual(lines);
        expect(redactedLines(found.lines).lines).toEqual(found.lines);
      }),
      fuzzRuns(300),
    );
  });

  test.each([
    ['words', ['nothing here', 'at all']],
    ['a hash', ['3f786850e387550fdab836ed7e6dc881de23001b']],
    ['a head among them', ['-----BEGIN CERTIFICATE-----', ...BODY.slice(0, 3)]],
  ])('%s need nothing from above', (_, lines) => {
    expect(mayBeKey(lines)).toBe(false);
  });
});

test.each([1, 2, 3, 7, 30])('a key that comes in batches of %i lines is taken out of each', (size) => {
  const text = ['$ cat key', ...KEY.slice(0, -2), 'Ab3dE5g=', ...KEY.slice(-1), 'done']; // the last line of a key may be short
  const redacting = new RedactingBytes();
  const told: string[] = [];
  for (let at = 0; at < text.length; at += size) {
    const lines = redacting.take(Buffer.from(`${text.slice(at, at + size).join('\n')}\n`));
    told.push(...lines.toString().split('\n').slice(0, -1));
  }
  // The first line of a key is no secret before another line follows.
  expect(told.filter((line) => line !== '[redacted]' && line !== KEY[0])).toEqual(['$ cat key', 'done']);
});
