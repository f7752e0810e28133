import { expect, test } from 'vitest';
import { cutText, withoutCutWord } from '../../src-main/redaction/cutText.ts';
import { redactSecrets } from '../../src-main/redaction/redactSecrets.ts';

const TOKEN = `ghp_${'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbCd1'}`;
const JWT = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'}`;

test.each([
  ['a token', `use ${TOKEN} there`, TOKEN],
  ['a value with a name', 'export API_KEY="q7RtY2uI9oPa4SdF6gHj8KlZ" now', 'q7RtY2uI9oPa4SdF6gHj8KlZ'],
  ['credentials', 'Authorization: Bearer q7RtY2uI9oPa4SdF6gHj8KlZ0', 'q7RtY2uI9oPa4SdF6gHj8KlZ0'],
  ['a token that the screen broke', `use ${TOKEN.slice(0, 20)}\n   ${TOKEN.slice(20)} there`, TOKEN.slice(0, 20)],
  ['a JSON web token', `it is ${JWT} here`, JWT],
])('a cut anywhere keeps no part of %s', (_, text, secret) => {
  expect(redactSecrets(text).text).not.toContain(secret);
  for (let most = 0; most <= text.length; most += 1) {
    const { text: kept } = redactSecrets(cutText(text, most));
    const words = kept.split(/[\s"=]/).filter((word) => word.length >= 6);
    for (const word of words) expect(secret, `cut at ${most}`).not.toContain(word);
  }
});

test('a text without a secret is cut where it was asked, but not within a character', () => {
  expect(cutText('a plain text', 7)).toBe('a plain');
  expect(cutText('a plain text', 12)).toBe('a plain text');
  expect(cutText('• • •', 3)).toBe('• •');
  expect(cutText('ab😀', 3)).toBe('ab');
});

test('a text that was cut before loses its last word, if it is long enough to have been cut', () => {
  const cut = `${'word '.repeat(24)}${TOKEN.slice(0, 12)}…`;
  expect(withoutCutWord(cut, 120)).toBe(`${'word '.repeat(24)}…`);
  expect(withoutCutWord('Loading everything…', 120)).toBe('Loading everything…');
});
