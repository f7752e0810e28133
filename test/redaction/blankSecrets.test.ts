import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankSecrets, redactSecrets } from '../../src-main/redaction/redactSecrets.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

test.each([
  ['a token', `push with ${TOKEN} now`, `push with ${'•'.repeat(40)} now`],
  ['a password of a name', 'export DB_PASSWORD=hunter2 # ours', 'export DB_PASSWORD=••••••• # ours'],
  [
    'one that goes on in the next line',
    `x ${TOKEN.slice(0, 30)}\n${TOKEN.slice(30)} y`,
    `x ${'•'.repeat(30)}\n${'•'.repeat(10)} y`,
  ],
  ['one in an address', 'https://me:s3cret@example.org/x', 'https://me:••••••@example.org/x'],
])('%s is blanked in its place', (_, text, blanked) => {
  expect(blankSecrets(text)).toEqual({ text: blanked, count: 1 });
});

const PIECES = [
  TOKEN,
  'API_KEY=',
  'password: "',
  '"',
  'hunter22',
  '\n',
  ' ',
  'Authorization: Bearer ',
  '•••',
  '-----BEGIN PRIVATE KEY-----\n',
  'MIIEvQIBADANBgkqhkiG9w0BAQEF',
  '[redacted: api key]',
  'curl -u me:',
  'https://me:',
  '@host',
];

test('all stays where it was, and nothing is left to be found', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const { text: blanked, count } = blankSecrets(text);
      expect(blanked.length).toBe(text.length);
      const changed = [...text].every((char, at) => blanked[at] === char || blanked[at] === '•');
      expect(changed).toBe(true);
      expect(blanked.split('\n').map(({ length }) => length)).toEqual(text.split('\n').map(({ length }) => length));
      expect(count > 0).toBe(redactSecrets(text).count > 0);
      expect(redactSecrets(blanked).count).toBe(0);
    }),
    fuzzRuns(500),
  );
});
