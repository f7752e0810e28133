import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodePaste, judgePaste, LARGE_PASTE_BYTES, sanitizePaste } from '../../src-main/pty/sanitizePaste.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/security/paste-inputs.jsonl');
const rows = readFileSync(FIXTURE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; text_b64: string });
const texts = rows.map(({ id, text_b64 }) => [id, Buffer.from(text_b64, 'base64').toString()] as const);

/** Characters that a paste must not contain, apart from its brackets. */
const FORBIDDEN = /[\u0000-\u0008\u000a-\u000c\u000e-\u001f\u007f-\u009f]/;

function inBrackets(encoded: string): string {
  const inner = encoded.match(/^\x1b\[200~([\s\S]*)\x1b\[201~$/)?.[1];
  expect(inner, 'starts and ends with the brackets').toBeDefined();
  return inner ?? '';
}

describe('sanitizePaste', () => {
  test.each(texts)('%s: no control character but TAB and CR survives', (_, text) => {
    expect(sanitizePaste(text)).not.toMatch(FORBIDDEN);
    expect(inBrackets(encodePaste(text, true))).not.toMatch(FORBIDDEN);
  });

  test.each(texts)('%s asks first', (_, text) => {
    expect(judgePaste(text, true)).not.toBeNull();
  });

  test('any text at all gives exactly one closing bracket and no control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(inBrackets(encodePaste(text, true))).not.toMatch(FORBIDDEN);
        expect(encodePaste(text, false)).not.toMatch(FORBIDDEN);
      }),
    );
  });

  test('what is typed is what was copied, when nothing is wrong with it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '👍', ' ', '\t') }), (text) => {
        expect(sanitizePaste(text)).toBe(text);
      }),
    );
  });

  test.each([
    ['a plain line', 'ls -la', true, null],
    ['several lines in a program that takes pastes', 'a\nb', true, null],
    ['several lines in one that would run each', 'a\nb', false, { lines: 2 }],
    ['a large one', 'x'.repeat(LARGE_PASTE_BYTES + 1), true, { bytes: LARGE_PASTE_BYTES + 1 }],
    ['hidden characters', 'sudo\u200b rm', true, { hidden: true }],
    ['text out of sight', `ls${' '.repeat(80)}; rm -rf ~`, true, { hidden: true }],
    ['control characters', 'a\x03b', true, { removedControls: true }],
  ])('%s', (_, text, isBracketed, question) => {
    const judged = judgePaste(text, isBracketed);
    if (question === null) expect(judged).toBeNull();
    else expect(judged).toMatchObject(question);
  });
});
