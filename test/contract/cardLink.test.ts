import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cardLink, looksLikeLink, readCardLink } from '../../src-main/contract/cardLink.ts';

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

test('the link of a card or a terminal leads back to it, in the browser and on the desktop', () => {
  fc.assert(
    fc.property(
      id,
      fc.option(id),
      fc.constantFrom(null, 'http://127.0.0.1:4711', 'http://localhost:1', 'http://[::1]:9'),
      (terminalId, blockId, origin) => {
        const link = cardLink({ terminalId, blockId }, origin);
        const reading = { ok: true, place: { terminalId, blockId } };
        expect(readCardLink(link)).toEqual(reading);
        if (origin !== null) expect(readCardLink(new URL(link).hash)).toEqual(reading);
        expect(looksLikeLink(link)).toBe(true);
      },
    ),
  );
});

test('links of earlier versions still lead to their card', () => {
  expect(readCardLink('hansard://terminal/t1/block/b1/')).toEqual({
    ok: true,
    place: { terminalId: 't1', blockId: 'b1' },
  });
});

test.each([
  ['hansard://terminal/../card/b1', 'form'],
  ['hansard://terminal/t1%00/card/b1', 'form'],
  ['hansard://terminal/t1?run=id', 'form'],
  ['hansard://open/terminal/t1', 'form'],
  ['hansard:terminal/t1', 'foreign'],
  ['#/terminal/t1/card/', 'form'],
  [`#/terminal/${'x'.repeat(65)}`, 'form'],
  ['#a-one-time-code', 'foreign'],
  ['https://terminal/t1', 'foreign'],
  ['http://127.0.0.1.evil.example/#/terminal/t1', 'foreign'],
  ['http://me@127.0.0.1:80/#/terminal/t1', 'foreign'],
  ['javascript:alert(1)//#/terminal/t1', 'foreign'],
  ['file:///etc/passwd', 'foreign'],
  ['--help', 'foreign'],
  ['', 'foreign'],
  [`hansard://terminal/${'x'.repeat(100_000)}`, 'long'],
])('%.60s is refused: %s', (link, fault) => {
  expect(readCardLink(link)).toEqual({ ok: false, fault });
});

test('any text at all is read without an error, and never as more than two ids', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `hansard://terminal/${text}`),
      ),
      (text) => {
        const reading = readCardLink(text);
        if (reading.ok) expect(JSON.stringify(reading.place)).toMatch(/^[\w{}":,-]+$/);
      },
    ),
  );
});
