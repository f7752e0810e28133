import { expect, test } from 'vitest';
import { untrustedText } from '../../src-main/mcp/protocol/untrustedText.ts';
import { changedAround, withoutHidden } from '../../src-main/redaction/hiddenWithin.ts';
import { mayHoldSecret } from '../../src-main/redaction/mayHoldSecret.ts';
import { blankSecrets, redactSecrets } from '../../src-main/redaction/redactSecrets.ts';

const TOKEN = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
const HIDDEN = [
  '\u200b',
  '\u200d',
  '\u00ad',
  '\u2060',
  '\ufeff',
  '\u202a',
  '\u2066',
  '\u034f',
  '\u180b',
  '\ufe0e',
  '\ufe0f',
  '\u{e0100}',
  '\u{e0041}',
  '\u115f',
  '\u3164',
  '\u0600',
  '\ufff9',
  '\0',
  '\x7f',
  '\x9b',
  '\u200b\ufe0f\u200b',
];
const name = (hidden: string): string => [...hidden].map((char) => char.codePointAt(0)?.toString(16)).join(' ');

test.each(HIDDEN.map((hidden) => [name(hidden), hidden]))(
  'a secret with %s in it is a secret, wherever it is',
  (_, hidden) => {
    for (const at of [1, 4, 10, TOKEN.length - 1]) {
      const text = `one ${TOKEN.slice(0, at)}${hidden}${TOKEN.slice(at)} two`;
      const { text: told, redactions } = untrustedText(text);
      expect([told, redactions]).toEqual(['one [redacted: github token] two', 1]);
      const blanked = blankSecrets(text);
      expect(blanked.text).toBe(`one ${'•'.repeat(TOKEN.length + hidden.length)} two`);
      expect(mayHoldSecret(text)).toBe(true);
      expect(redactSecrets(redactSecrets(text).text).count).toBe(0);
    }
  },
);

test('what is hidden elsewhere stays, and so does what it sets apart', () => {
  const text = `a\u200bb ${TOKEN.slice(0, 9)}\ufe0f${TOKEN.slice(9)}\nc\u200bd\nx\u200b${TOKEN}`;
  expect(blankSecrets(text).text).toBe(
    `a\u200bb ${'•'.repeat(TOKEN.length + 1)}\nc\u200bd\nx\u200b${'•'.repeat(TOKEN.length)}`,
  );
  expect(redactSecrets(text)).toEqual({
    text: 'ab [redacted: github token]\nc\u200bd\nx\u200b[redacted: github token]',
    count: 2,
  });
});

test('emoji, accents and tabs are not hidden', () => {
  const text = 'a\tb 1\ufe0f\u20e3 ❤\ufe0f! e\u0301x 👩\u200d💻 ok\r\n';
  expect(withoutHidden(text)).toBe(text);
  expect(changedAround(text, (bare) => bare.toUpperCase(), '•')).toBe(text.toUpperCase());
});
